import { LogIn } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { useJoined } from './joined.ts'

/** Joins a chat, which keeps it in the inbox. Hidden after that; leaving is in the menu. */
export function JoinButton({ nftaddr }: { nftaddr: string }) {
  const { joined, busy, change } = useJoined(nftaddr)
  if (joined !== false) return null
  return (
    <Button
      variant="primary"
      className="!min-h-9 pointer-coarse:!min-h-11 !px-3.5 text-sm"
      busy={busy}
      onClick={() => change(true)}
    >
      <LogIn className="size-4" aria-hidden="true" /> Join
    </Button>
  )
}
