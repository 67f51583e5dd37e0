import { ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { SendAs } from '../ui/composer-channel.ts'
import type { Held } from './channel.ts'
import { serviceHost } from './host.ts'
import { missingKeys, useKeyring } from './keyring.ts'
import { noteKey } from './known.ts'
import type { PeerKey } from './peer.ts'
import { showNumber } from './shown-number.ts'
import { useAttempt } from './use-attempt.ts'

interface Props {
  why: Held
  address: string
  title: string
  peer: PeerKey
}

/** Says why what is written is not sent as it is, and offers the choices. */
export function HeldMessage({ why, address, title, peer }: Props) {
  const known = peer.known?.key
  return (
    <div role="group" aria-label="Not encrypted: choose how to send" className="grid gap-2 pb-2 text-sm">
      <p className="flex items-start gap-2 text-pretty text-channel">
        <ShieldAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        <span>{reasons[why](title)}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        {why === 'changed' && (
          <>
            <button type="button" className={look} onClick={() => showNumber(address)}>
              Compare the number
            </button>
            <button type="button" className={look} onClick={() => noteKey(address, 'accepted', peer.key)}>
              Use new key
            </button>
          </>
        )}
        {(why === 'hidden' || why === 'bad') && known && (
          <Choice as="known">Encrypt with the key you know</Choice>
        )}
        {why === 'locked' && <Unlock />}
        {(why === 'off' || why === 'outdated') && <ToSettings>Turn on encryption</ToSettings>}
        <Choice as="clear">Send unencrypted</Choice>
      </div>
    </div>
  )
}

const reasons: Record<Held, (title: string) => string> = {
  off: () => 'This conversation was encrypted, and encryption is off for your wallet.',
  locked: () => 'Your encryption key is locked on this device.',
  unavailable: () => 'This conversation was encrypted, and this browser cannot do it here.',
  elsewhere: () => `This conversation was encrypted, and this page is not at ${serviceHost}.`,
  outdated: () => `This conversation was encrypted, and your key was not signed for ${serviceHost}.`,
  hidden: (title) =>
    `The service shows no key of ${title} any more: ${title} has switched encryption off, or the service hides the key.`,
  changed: (title) =>
    `${title} has a new encryption key, signed by that wallet. This happens when encryption is set up anew.`,
  bad: (title) =>
    `The key that the service shows for ${title} is not signed by that wallet for ${serviceHost}. Nothing is encrypted to it.`,
}

const look =
  'inline-flex min-h-11 items-center rounded-xl border border-channel bg-surface px-4 py-2 font-medium text-channel hover:bg-channel-soft disabled:opacity-55'

/** A way to send what is written: the form that it is in reads its value. */
const Choice = ({ as, children }: { as: SendAs; children: ReactNode }) => (
  <button type="submit" value={as} className={look}>
    {children}
  </button>
)

const ToSettings = ({ children }: { children: ReactNode }) => (
  <Link to="/settings#encryption" className={look}>
    {children}
  </Link>
)

/** Opens the key here where the wallet's signature does; a recovery code is typed in the settings. */
function Unlock() {
  const ring = useKeyring()
  const { busy, problem, attempt } = useAttempt()
  const byWallet =
    ring.state === 'locked' &&
    ring.backup.steady !== false &&
    missingKeys(ring).some(({ locks }) => locks.some(({ kind }) => kind === 'signature'))
  if (!byWallet) return <ToSettings>Unlock</ToSettings>
  const open = async () => (await import('./setup.ts')).unlock()
  return (
    <>
      <button type="button" disabled={busy} className={look} onClick={() => void attempt(open)}>
        Unlock
      </button>
      {problem && (
        <p role="alert" className="basis-full text-danger">
          {problem}
        </p>
      )}
    </>
  )
}
