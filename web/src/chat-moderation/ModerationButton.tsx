import { Shield } from 'lucide-react'
import { useNavigate } from 'react-router'
import { Button } from '../ui/Button.tsx'
import { moderationPath } from './paths.ts'

/** The way to who moderates a chat. */
export function ModerationButton({ nftaddr }: { nftaddr: string }) {
  const navigate = useNavigate()
  return (
    <Button onClick={() => void navigate(moderationPath(nftaddr))}>
      <Shield className="size-4" aria-hidden="true" /> Moderation
    </Button>
  )
}
