import { Lock, LockOpen } from 'lucide-react'
import { Link } from 'react-router'
import type { PeerKey } from './peer.ts'
import { serviceHost } from './host.ts'
import { type Keyring, useKeyring } from './keyring.ts'

interface Props {
  peer: PeerKey
  title: string
}

/** Whether a message that is sent now will be encrypted. */
export const willEncrypt = (ring: Keyring, peer: PeerKey): boolean =>
  ring.state === 'open' && ring.on && peer.state === 'good' && !peer.changed

/** Shows whether the next message will be encrypted, and why not. */
export function EncryptionNote({ peer, title }: Props) {
  const ring = useKeyring()
  if (ring.state === 'unknown' || peer.state === 'unknown') return <p className="h-6" />
  const encrypted = willEncrypt(ring, peer)
  const Icon = encrypted ? Lock : LockOpen
  return (
    <p className="flex min-h-6 items-center gap-1.5 px-4 pt-1 text-xs text-muted">
      <Icon className="size-3.5 shrink-0" aria-hidden="true" />
      <span>
        {encrypted ? 'Encrypted: only you two can read this.' : `Not encrypted${reason(ring, peer, title)}`}{' '}
        {!encrypted && ownStep(ring) && (
          <Link to="/settings#encryption" className="underline">
            {ownStep(ring)}
          </Link>
        )}
      </span>
    </p>
  )
}

/** What the reader can do to have messages encrypted. */
function ownStep(ring: Keyring): string | undefined {
  if (ring.state === 'locked') return 'Unlock'
  return ring.state === 'off' || ring.state === 'outdated' || (ring.state === 'open' && !ring.on)
    ? 'Turn on encryption'
    : undefined
}

function reason(ring: Keyring, peer: PeerKey, title: string): string {
  if (ring.state === 'unavailable') return ': this browser cannot do it here.'
  if (ring.state === 'elsewhere') return `: this page is not at ${serviceHost}.`
  if (ring.state === 'locked') return ': your key is locked here.'
  if (ring.state === 'outdated') return `: your key was not signed for ${serviceHost}.`
  if (ring.state === 'off' || (ring.state === 'open' && !ring.on)) return '.'
  if (peer.changed) return `: the key of ${title} has changed.`
  if (peer.state === 'bad') return `: the key of ${title} is not signed by that wallet.`
  return `: ${title} has it off.`
}
