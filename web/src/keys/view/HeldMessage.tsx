import { ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { SendAs } from '../../messages/message.ts'
import type { Held } from '../state/channel.ts'
import { serviceHost } from '../state/host.ts'
import { missingKeys, noteSwitch, useKeyring } from '../state/keyring.ts'
import { noteKey } from '../state/known.ts'
import type { PeerKey } from '../state/peer.ts'
import { showNumber } from '../state/shown-number.ts'
import { useAttempt } from './use-attempt.ts'

interface Props {
  why: Held
  address: string
  title: string
  peer: PeerKey
}

/** Says why a message is not sent as it is, and offers the choices. */
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
        {(why === 'off' || why === 'outdated' || why === 'claimed') && (
          <ToSettings>Turn on encryption</ToSettings>
        )}
        {why === 'claimed' && (
          <button type="button" className={look} onClick={() => noteSwitch(false)}>
            Leave it off
          </button>
        )}
        <Choice as="clear">Send unencrypted</Choice>
      </div>
    </div>
  )
}

const reasons: Record<Held, (title: string) => string> = {
  off: () => 'This conversation was encrypted. You have turned encryption off.',
  claimed: () =>
    `${serviceHost} says that you turned encryption off on another device, but you have not signed that. If you didn’t, turn it on again.`,
  locked: () => 'Your encryption key is locked on this device.',
  unavailable: () => 'This conversation was encrypted. This browser can’t encrypt here.',
  elsewhere: () => `This conversation was encrypted. Open it on ${serviceHost} to encrypt.`,
  outdated: () => `This conversation was encrypted. Your key belongs to another site, not ${serviceHost}.`,
  hidden: (title) =>
    `${title}’s key is gone, and ${title} has not signed that encryption is off. ${serviceHost} may be hiding the key.`,
  'peer-off': (title) => `${title} turned encryption off, and signed that. New messages are not encrypted.`,
  changed: (title) =>
    `${title} has a new encryption key, signed by their wallet. This happens when someone makes a new key.`,
  unchecked: (title) =>
    `${title} uses a smart wallet, and its chain didn’t answer whether the key is theirs. Nothing is encrypted to it. Reload the page to try again.`,
  bad: (title) =>
    `The key that ${serviceHost} shows for ${title} is not signed by their wallet for ${serviceHost}. Nothing is encrypted to it.`,
}

const look =
  'inline-flex min-h-11 items-center rounded-xl border border-channel bg-surface px-4 py-2 font-medium text-channel hover:bg-channel-soft disabled:opacity-55'

/** This button sends the message: its form reads the button's value. */
const Choice = ({ as, children }: { as: SendAs; children: ReactNode }) => (
  <button type="submit" value={as} className={look}>
    {children}
  </button>
)

const ToSettings = ({ children }: { children: ReactNode }) => (
  <Link to="/settings/encryption" className={look}>
    {children}
  </Link>
)

/** Opens the key here with the wallet's signature; a recovery code is entered in the settings. */
function Unlock() {
  const ring = useKeyring()
  const { busy, problem, attempt } = useAttempt()
  const byWallet =
    ring.state === 'locked' &&
    ring.backup.steady !== false &&
    missingKeys(ring).some(({ locks }) => locks.some(({ kind }) => kind === 'signature'))
  if (!byWallet) return <ToSettings>Unlock</ToSettings>
  const open = async () => (await import('../state/setup.ts')).unlock()
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
