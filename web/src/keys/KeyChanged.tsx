import { ShieldAlert } from 'lucide-react'
import { Banner } from '../ui/Banner.tsx'
import { serviceHost } from './host.ts'
import type { PeerKey } from './peer.ts'

/**
 * Warns that the peer's key has changed or is not signed. Nothing is encrypted to it until the
 * reader accepts it.
 */
export function KeyChanged({ peer, title }: { peer: PeerKey; title: string }) {
  if (peer.state === 'bad')
    return (
      <Banner tone="danger" icon={<ShieldAlert className="size-4 shrink-0" aria-hidden="true" />}>
        The published key of {title} is not signed by that wallet for {serviceHost}. Nothing is encrypted to
        it.
      </Banner>
    )
  if (!peer.changed) return null
  return (
    <Banner
      tone="warn"
      icon={<ShieldAlert className="size-4 shrink-0" aria-hidden="true" />}
      action={
        <button type="button" className="min-h-8 shrink-0 font-semibold underline" onClick={peer.accept}>
          Use the new key
        </button>
      }
    >
      {title} has a new encryption key, signed by that wallet. This happens when encryption is set up anew.
    </Banner>
  )
}
