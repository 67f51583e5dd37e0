// Where a message was pinned, a line between the messages says so. It is made of the pins that the strip shows.

import type { Pin } from '@parley/sdk/contract/pins.ts'
import { Pin as PinIcon } from 'lucide-react'
import { useMemo } from 'react'
import type { Line, Message } from '../messages/message.ts'
import { useAliases } from '../names/aliases.ts'
import { useBlocked } from '../names/blocked.ts'
import { nameOf } from '../names/profile.ts'
import { shortAddress } from '../seal/address.ts'
import { useMe } from '../service/session.ts'
import { useThreadChanges } from './changes.ts'
import { type PinsOf, usePins } from './pins-of.ts'

type Author = Pick<Message, 'fromaddr' | 'author'>

/** Returns the lines of a thread with those of its pins, in their order by time. */
export function useWithPinLines(of: PinsOf | undefined, stored: Author[], lines: Line[]): Line[] {
  const me = useMe()
  const pins = usePins(of ?? nowhere)
  const blocked = useBlocked()
  const aliases = useAliases()
  return useMemo(() => {
    const shown = pins.filter(({ pinned_by }) => !blocked.has(pinned_by))
    if (shown.length === 0) return lines
    // Nothing is read for a name: it is that of a message, or one that the page has read.
    const authorOf = (wallet: string) =>
      aliases.get(wallet) ??
      (stored.findLast(({ fromaddr }) => fromaddr === wallet)?.author ||
        nameOf(wallet) ||
        shortAddress(wallet))
    const ofPins = shown.map((pin) => ({
      at: pin.pinned_at,
      key: `pin ${pin.id}`,
      content: <PinLine pin={pin} who={pin.pinned_by === me ? 'You' : authorOf(pin.pinned_by)} />,
    }))
    return [...lines, ...ofPins].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  }, [pins, stored, lines, me, blocked, aliases])
}

const nowhere: PinsOf = {}

function PinLine({ pin: { id }, who }: { pin: Pin; who: string }) {
  const changes = useThreadChanges()
  return (
    <button
      type="button"
      className="min-h-6 wrap-anywhere underline-offset-2 hover:text-ink hover:underline pointer-coarse:min-h-11"
      onClick={() => changes?.goTo(id)}
    >
      <PinIcon className="me-1 inline size-3 align-[-0.1em]" aria-hidden="true" />
      <bdi>{who}</bdi> pinned a message
    </button>
  )
}
