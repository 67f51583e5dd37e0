import { ListEnd, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { lineOf } from '../messages/said.ts'
import type { Message } from '../messages/message.ts'
import { useMe } from '../service/session.ts'
import { shortTime } from '../state/time.ts'
import { classes } from '../ui/classes.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { hiddenPinsKey } from './drafts.ts'
import { hidePins, type PinsOf, useHiddenUntil, usePins } from './pins-of.ts'

const PinList = lazy(async () => ({ default: (await import('./PinList.tsx')).PinList }))

interface Props {
  of: PinsOf
  messages: Message[]
  mayPin: boolean
  goTo: (id: number) => void
}

/**
 * Shows one pinned message below the header, the newest first. A click goes to it, and shows the next older one. All
 * are in a list. A new pin is shown first.
 */
export function Pins({ of, messages, mayPin, goTo }: Props) {
  const key = hiddenPinsKey(useMe(), of.toaddr ?? of.nftaddr ?? '')
  const pins = usePins(of)
  const hiddenUntil = useHiddenUntil(key)
  const [chosen, setChosen] = useState({ at: 0, since: '' })
  const [isListed, setListed] = useState(false)
  const newest = pins[0]
  if (!newest || newest.pinned_at <= hiddenUntil) return null
  const n = chosen.since === newest.pinned_at ? chosen.at % pins.length : 0
  const { id, pinned_at } = pins[n]!
  const message = messages.find((one) => one.id === id)
  const text = message?.lock === 'broken' ? 'Encrypted message' : message && lineOf(message)
  const place = pins.length > 1 ? `${n + 1} of ${pins.length}` : ''
  const hide = () => hidePins(key, newest.pinned_at)
  return (
    <section
      aria-label="Pinned messages"
      className="channel-clear overflow-hidden border-b border-line bg-surface hover:bg-hover"
    >
      <div
        className={classes(
          'mx-auto flex h-11 max-w-3xl items-center pe-1 transition-transform duration-160 ease-out',
          'starting:-translate-y-full motion-reduce:transition-none sm:pe-2',
        )}
      >
        <button
          type="button"
          aria-label={`Pinned${place && `, ${place}`}${text ? `: ${text.slice(0, 200)}` : ''}. Go to message`}
          onClick={() => {
            goTo(id)
            setChosen({ at: n + 1, since: newest.pinned_at })
          }}
          className="flex h-11 min-w-0 flex-1 items-stretch gap-2.5 px-3 py-1.5 text-start text-[0.8125rem]/4 -outline-offset-2 sm:px-4"
        >
          <Segments count={pins.length} at={n} />
          <span className="min-w-0 flex-1">
            <span className="block truncate">
              <span className="font-semibold text-channel">Pinned</span>
              {place && <span className="text-muted tabular-nums"> {place}</span>}
            </span>{' '}
            <span
              key={id}
              dir="auto"
              className="block truncate transition duration-160 ease-out motion-reduce:transition-none starting:translate-y-2 starting:opacity-0"
            >
              {text ?? `A message further up, pinned ${shortTime(pinned_at)}`}
            </span>
          </span>
        </button>
        <IconButton label="All pinned messages" aria-haspopup="dialog" onClick={() => setListed(true)}>
          <ListEnd className="size-4.5" aria-hidden="true" />
        </IconButton>
        <IconButton
          label="Hide pinned messages until the next pin"
          title="Hide until the next pin"
          onClick={hide}
        >
          <X className="size-4.5" aria-hidden="true" />
        </IconButton>
      </div>
      <Suspense>
        {isListed && (
          <PinList {...{ pins, messages, mayPin, goTo }} onHide={hide} onClose={() => setListed(false)} />
        )}
      </Suspense>
    </section>
  )
}

/** More segments than this would be thinner than 3 pixels. */
const mostSegments = 7

/** Shows a segment for each pin, the newest at the bottom, and the present one bright; of many those around it. */
function Segments({ count, at }: { count: number; at: number }) {
  const first = Math.max(0, Math.min(at - (mostSegments >> 1), count - mostSegments))
  const shown = Array.from({ length: Math.min(count, mostSegments) }, (_, i) => first + i)
  return (
    <span aria-hidden="true" className="flex w-0.75 shrink-0 flex-col-reverse gap-0.5">
      {shown.map((n) => (
        <span
          key={n}
          data-segment={n === at ? 'present' : 'other'}
          className={classes(
            'min-h-0.75 flex-1 rounded-full bg-channel transition-opacity duration-160 motion-reduce:transition-none forced-colors:bg-[CanvasText]',
            n !== at && 'opacity-30',
          )}
        />
      ))}
    </span>
  )
}
