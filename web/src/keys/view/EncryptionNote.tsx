import { Lock, LockOpen } from 'lucide-react'
import { Link } from 'react-router'
import { type Channel } from '../state/channel.ts'
import { serviceHost } from '../state/host.ts'
import { type Keyring, useKeyring } from '../state/keyring.ts'
import { showNumber } from '../state/shown-number.ts'

interface Props {
  channel: Channel
  peer: string
  title: string
  /** Writes to the peer that they can turn encryption on. */
  onAsk: () => void
}

/** Says below the field whether the next message will be encrypted, and why not. */
export function EncryptionNote({ channel, peer, title, onAsk }: Props) {
  const ring = useKeyring()
  if (channel.kind === 'checking')
    return <p className="min-h-6 px-4 pt-1 text-xs text-muted">Looking for keys…</p>
  if (channel.kind === 'held') return null
  const isSealed = channel.kind === 'sealed'
  const Icon = isSealed ? Lock : LockOpen
  const step = isSealed ? undefined : ownStep(ring)
  return (
    <p className="flex min-h-6 items-center gap-1.5 px-4 pt-1 text-xs text-muted">
      <Icon className="size-3.5 shrink-0 text-channel" aria-hidden="true" />
      <span>
        {isSealed ? sealedFor(title, channel.isVouched) : `Not encrypted${reason(ring, title)}`}{' '}
        {isSealed && (
          <button type="button" className="underline" onClick={() => showNumber(peer)}>
            {channel.isVouched ? 'safety number' : 'Safety number'}
          </button>
        )}
        {step && (
          <Link to="/settings/encryption" className="underline">
            {step}
          </Link>
        )}
        {!isSealed && 'on' in ring && ring.on && (
          <button type="button" className="underline" onClick={onAsk}>
            Ask {title}
          </button>
        )}
      </span>
    </p>
  )
}

/** What the service alone vouches for is never shown as what this browser has checked. */
const sealedFor = (title: string, isVouched: true | undefined) =>
  isVouched
    ? `Encrypted. ${title}’s key is vouched for by ${serviceHost}: your wallet couldn’t check it. Compare the`
    : `Only you and ${title} can read this.`

const isOff = (ring: Keyring) => ring.state === 'off' || ('on' in ring && !ring.on)

/** Returns what the reader can do to have messages encrypted. */
function ownStep(ring: Keyring): string | undefined {
  return ring.state === 'outdated' || isOff(ring) ? 'Turn on encryption' : undefined
}

function reason(ring: Keyring, title: string): string {
  if (ring.state === 'unavailable') return ': this browser can’t encrypt here.'
  if (ring.state === 'elsewhere') return `: open this page on ${serviceHost}.`
  if (ring.state === 'outdated') return ': your key belongs to another site.'
  if (isOff(ring)) return '.'
  return `. ${title} hasn’t turned it on.`
}
