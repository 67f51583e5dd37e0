import { ListEnd, Pin } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { onOneLine } from '../messages/format.ts'
import type { Message } from '../messages/message.ts'
import { useMe } from '../service/session.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { hiddenPinsKey } from './drafts.ts'
import { type PinsOf, useHiddenUntil, usePins } from './pins-of.ts'

const PinList = lazy(async () => ({ default: (await import('./PinList.tsx')).PinList }))

interface Props {
  of: PinsOf
  messages: Message[]
  mayPin: boolean
  goTo: (id: number) => void
}

/**
 * Shows one pinned message below the header, the newest first. A click goes to it, and shows the next older one. All
 * are in a list.
 */
export function Pins({ of, messages, mayPin, goTo }: Props) {
  const key = hiddenPinsKey(useMe(), of.toaddr ?? of.nftaddr ?? '')
  const pins = usePins(of)
  const hiddenUntil = useHiddenUntil(key)
  const [at, setAt] = useState(0)
  const [isListed, setListed] = useState(false)
  const newest = pins[0]
  if (!newest || newest.pinned_at <= hiddenUntil) return null
  const n = at % pins.length
  const { id } = pins[n]!
  const message = messages.find((one) => one.id === id)
  const text = message?.lock === 'broken' ? 'encrypted message' : message && onOneLine(message.text)
  return (
    <section aria-label="Pinned messages" className="channel-clear border-b border-line bg-surface">
      <div className="mx-auto flex max-w-3xl items-center gap-1 pe-2 hover:bg-hover">
        <button
          type="button"
          onClick={() => {
            goTo(id)
            setAt(n + 1)
          }}
          className="flex min-h-11 min-w-0 flex-1 items-center gap-2.5 px-3 text-start text-sm sm:px-4"
        >
          <Pin className="size-4 shrink-0 text-channel" aria-hidden="true" />
          <span className="shrink-0 font-semibold">
            Pinned{pins.length > 1 && `, ${n + 1} of ${pins.length}`}
          </span>
          <span className="min-w-0 flex-1 truncate text-muted">{text ?? 'Go to message'}</span>
        </button>
        <IconButton label="All pinned messages" aria-haspopup="dialog" onClick={() => setListed(true)}>
          <ListEnd className="size-4.5" aria-hidden="true" />
        </IconButton>
      </div>
      <Suspense>
        {isListed && (
          <PinList hideAs={key} {...{ pins, messages, mayPin, goTo }} onClose={() => setListed(false)} />
        )}
      </Suspense>
    </section>
  )
}
