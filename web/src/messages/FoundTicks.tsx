import type { Virtualizer } from '@tanstack/react-virtual'
import { createStore, useStore } from '../state/store.ts'
import type { Message } from './message.ts'

/** The open search of this thread has found the messages with these ids. */
export const foundHere = createStore<ReadonlySet<number>>(new Set())

interface Props {
  messages: Message[]
  virtual: Virtualizer<HTMLDivElement, Element>
}

/** Shows beside the scroll bar where the found messages are, as far as the list has them. */
export function FoundTicks({ messages, virtual }: Props) {
  const found = useStore(foundHere)
  const height = virtual.getTotalSize()
  if (found.size === 0 || height <= (virtual.scrollRect?.height ?? 0)) return null
  const places = messages.flatMap(({ id }, index) =>
    found.has(id) ? [{ id, top: virtual.measurementsCache[index]?.start ?? 0 }] : [],
  )
  return (
    <div aria-hidden className="pointer-events-none absolute inset-y-0 end-0 w-2.5 max-sm:hidden">
      {places.map(({ id, top }) => (
        <span
          key={id}
          data-tick
          className="absolute inset-x-0.5 h-0.75 rounded-full bg-clear"
          style={{ top: `${(100 * top) / height}%` }}
        />
      ))}
    </div>
  )
}
