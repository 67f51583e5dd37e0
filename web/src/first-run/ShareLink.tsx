import { Copy, Share2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '../ui/Button.tsx'
import { copy } from '../state/notice.ts'

interface Props {
  label: string
  link: string
  variant?: 'primary' | 'plain'
  /** These are other ways to share the link. */
  children?: ReactNode
}

/** Shows a link to a wallet or a chat, to copy it or to send it from a phone. */
export function ShareLink({ label, link, variant = 'plain', children }: Props) {
  const id = useId()
  return (
    <div className="grid grid-cols-1 content-start gap-2 text-start">
      <p id={id} className="text-sm font-medium">
        {label}
      </p>
      <p
        aria-labelledby={id}
        className="font-address rounded-xl bg-sunken px-3.5 py-2.5 text-sm wrap-anywhere select-all"
      >
        {link.replace(/^https?:\/\//, '')}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant={variant} onClick={() => void copy(link, 'Link copied')}>
          <Copy className="size-4" aria-hidden="true" /> Copy link
        </Button>
        {'share' in navigator && (
          // The user may cancel.
          <Button onClick={() => void navigator.share({ url: link }).catch(() => {})}>
            <Share2 className="size-4" aria-hidden="true" /> Share
          </Button>
        )}
        {children}
      </div>
    </div>
  )
}
