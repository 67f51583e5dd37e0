import { Lock, LockOpen } from 'lucide-react'
import { Link } from 'react-router'
import { useAccount } from '../../service/session.ts'
import { Button } from '../../ui/Button.tsx'
import { showNotice } from '../../state/notice.ts'
import { serviceHost } from '../state/host.ts'
import { missingKeys, useKeyring } from '../state/keyring.ts'
import { type Offer, refuseOffer } from '../state/offer.ts'
import { setUp, unlock } from '../state/setup.ts'
import { useAttempt } from './use-attempt.ts'

const says = {
  'set-up': {
    title: 'Encrypt your messages?',
    text: `Make chats private: only you and the other person can read them, not even ${serviceHost}.`,
    action: 'Encrypt my messages',
    done: 'Encryption is on',
  },
  unlock: {
    title: 'Your messages are locked here',
    text: 'Unlock them to read and write encrypted messages in this browser.',
    action: 'Unlock my messages',
    done: 'Your messages are unlocked',
  },
}

/** Offers encryption, or to unlock it here, with one signature. `onDone` runs when the offer leaves. */
export function EncryptionOffer({ offer, onDone }: { offer: Offer; onDone: () => void }) {
  const ring = useKeyring()
  const { busy, problem, attempt } = useAttempt()
  const { title, text, action, done } = says[offer]
  const canSign = useAccount()?.kind !== 'handed-over'
  const byWallet =
    offer === 'set-up' ||
    (ring.state === 'locked' &&
      canSign &&
      ring.backup.steady !== false &&
      missingKeys(ring).some(({ locks }) => locks.some(({ kind }) => kind === 'signature')))
  const accept = async () => {
    if (!(await attempt(offer === 'set-up' ? setUp : unlock))) return
    showNotice(done)
    onDone()
  }
  const Icon = offer === 'set-up' ? Lock : LockOpen
  return (
    <section
      aria-labelledby="encryption-offer"
      className="mx-3 mb-2 grid gap-2 rounded-2xl border border-line bg-sealed-soft p-3.5"
    >
      <h3 id="encryption-offer" className="flex items-center gap-2 font-semibold">
        <Icon className="size-4 shrink-0 text-sealed" aria-hidden="true" /> {title}
      </h3>
      <p className="text-sm text-pretty text-ink">
        {text} {byWallet && `Takes one signature. Only ever sign it on ${serviceHost}.`}
      </p>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem}
      </p>
      <div className="flex flex-wrap gap-2 pt-1">
        {byWallet ? (
          <Button busy={busy} onClick={() => void accept()}>
            {action}
          </Button>
        ) : (
          <Link
            to="/settings/encryption"
            className="inline-flex min-h-11 items-center rounded-xl border border-line bg-raised px-4 py-2 font-medium hover:bg-hover"
          >
            Unlock with the recovery code
          </Link>
        )}
        <Button
          variant="quiet"
          onClick={() => {
            refuseOffer(offer)
            onDone()
          }}
        >
          Not now
        </Button>
      </div>
    </section>
  )
}
