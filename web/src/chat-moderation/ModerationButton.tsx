import { Shield } from 'lucide-react'
import { useNavigate } from 'react-router'
import { Button } from '../ui/Button.tsx'
import { moderationPath } from './paths.ts'

/** Links to the page about the moderators of a chat. */
export function ModerationButton({ nftaddr }: { nftaddr: string }) {
  const navigate = useNavigate()
  return (
    <Button variant="quiet" onClick={() => void navigate(moderationPath(nftaddr))}>
      <Shield className="size-4" aria-hidden="true" /> Moderation
    </Button>
  )
}
