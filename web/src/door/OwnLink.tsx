import { Copy, Share2 } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { copy } from '../ui/notice.ts'
import { linkTo } from './link.ts'

/** The link to a wallet, to copy it or to send it from a phone. */
export function OwnLink({ address }: { address: string }) {
  const link = linkTo(address)
  return (
    <div className="grid gap-2">
      <p id="own-link" className="text-sm font-medium">
        Your link
      </p>
      <p
        aria-labelledby="own-link"
        className="font-address rounded-xl bg-sunken px-3.5 py-2.5 text-sm wrap-anywhere select-all"
      >
        {link.replace(/^https?:\/\//, '')}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void copy(link, 'Link copied')}>
          <Copy className="size-4" aria-hidden="true" /> Copy link
        </Button>
        {'share' in navigator && (
          // A person may think better of it.
          <Button onClick={() => void navigator.share({ url: link }).catch(() => {})}>
            <Share2 className="size-4" aria-hidden="true" /> Share
          </Button>
        )}
      </div>
    </div>
  )
}
