import { KeyRound, Lock } from 'lucide-react'
import { useMemo } from 'react'
import type { Line, Message } from '../../messages/message.ts'
import type { KnownKey } from '../state/known.ts'
import { showNumber } from '../state/shown-number.ts'

/**
 * Returns the lines between the messages about changes of a peer's key. The conversation may have been encrypted before this page was
 * open, so its first encrypted message counts too.
 */
export function useNewsLines(
  peer: string,
  title: string,
  known: KnownKey | undefined,
  messages: readonly Pick<Message, 'lock' | 'timestamp'>[],
): Line[] {
  const sealedSince = messages.find(({ lock }) => lock === 'closed')?.timestamp
  return useMemo(() => newsLines(peer, title, known, sealedSince), [peer, title, known, sealedSince])
}

const newsLines = (
  peer: string,
  title: string,
  known: KnownKey | undefined,
  sealedSince: string | undefined,
): Line[] =>
  (known?.news ?? [])
    .filter(({ what }) => what === 'began' || what === 'changed')
    .map(({ at, what }) => ({
      at: what === 'began' ? earlier(at, sealedSince) : at,
      content:
        what === 'began' ? (
          <>
            <Lock aria-hidden="true" /> Encrypted from here on.{' '}
            <Compare peer={peer}>Compare the number</Compare>
          </>
        ) : (
          <>
            <KeyRound aria-hidden="true" /> {title}’s encryption key changed.{' '}
            <Compare peer={peer}>Compare the number again</Compare>
          </>
        ),
    }))

/** Just before the message, where that is earlier. */
const earlier = (at: string, sealedSince: string | undefined) =>
  sealedSince !== undefined && Date.parse(sealedSince) <= Date.parse(at)
    ? new Date(Date.parse(sealedSince) - 1).toISOString()
    : at

const Compare = ({ peer, children }: { peer: string; children: string }) => (
  <button
    type="button"
    onClick={() => showNumber(peer)}
    className="relative underline underline-offset-2 before:absolute before:-inset-y-3 before:inset-x-0 hover:text-ink"
  >
    {children}
  </button>
)
