import { Send } from 'lucide-react'
import { useNavigate } from 'react-router'
import { linkAt } from '../first-run/link.ts'
import { QrFigure } from '../first-run/QrFigure.tsx'
import { ShareLink } from '../first-run/ShareLink.tsx'
import { Button } from '../ui/Button.tsx'

interface Props {
  path: string
  seed: string
  title: string
  variant?: 'primary' | 'plain'
}

/** Shows the link to a chat: to copy, to scan, to share, and to send to somebody here. */
export function Invitation({ path, seed, title, variant = 'plain' }: Props) {
  const navigate = useNavigate()
  const link = linkAt(path)
  const text = `Join me in ${title}: ${link}`
  return (
    <div className="grid grid-cols-1 gap-5 sm:grid-cols-[minmax(0,1fr)_9rem]">
      <ShareLink label="Link" link={link} variant={variant}>
        <Button onClick={() => void navigate(`/share?text=${encodeURIComponent(text)}`)}>
          <Send className="size-4" aria-hidden="true" /> Send to someone
        </Button>
      </ShareLink>
      <QrFigure link={link} seed={seed} label={`QR code of ${title}`} caption="Scan to join" />
    </div>
  )
}
