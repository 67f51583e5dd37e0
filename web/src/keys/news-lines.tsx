import { KeyRound, Lock } from 'lucide-react'
import type { Line } from '../ui/message.ts'
import type { KnownKey } from './known.ts'
import { showNumber } from './shown-number.ts'

/** What is told between the messages of what was noticed of a peer's key. */
export const newsLines = (peer: string, title: string, known: KnownKey | undefined): Line[] =>
  (known?.news ?? [])
    .filter(({ what }) => what === 'began' || what === 'changed')
    .map(({ at, what }) => ({
      at,
      content:
        what === 'began' ? (
          <>
            <Lock aria-hidden="true" /> Encryption is on in this conversation since here.{' '}
            <Compare peer={peer}>Compare the number</Compare>
          </>
        ) : (
          <>
            <KeyRound aria-hidden="true" /> {title}’s encryption key changed.{' '}
            <Compare peer={peer}>Compare the number again</Compare>
          </>
        ),
    }))

const Compare = ({ peer, children }: { peer: string; children: string }) => (
  <button
    type="button"
    onClick={() => showNumber(peer)}
    className="relative underline underline-offset-2 before:absolute before:-inset-y-3 before:inset-x-0 hover:text-ink"
  >
    {children}
  </button>
)
