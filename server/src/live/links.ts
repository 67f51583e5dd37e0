// What an instance tells the others and hears from them: by the bus, where there is one, and by the
// database.

import type { Logger } from 'pino'
import type { Following } from '../db/standby.ts'
import { type BusAddress, noBus, openBus } from './bus.ts'
import type { Look } from './look.ts'
import { openSignals } from './signals.ts'
import type { Typing } from './typing.ts'

interface Options {
  /** Of the database. */
  url: string
  /** Of a message bus; undefined when there is none. */
  bus: BusAddress | undefined
  /** The standby on which the log is read, if it is. */
  source: Following | undefined
  log: Logger
}

/** What reads the log here. */
interface Reading {
  poll: () => void
  receive: (look: Look) => void
  readonly isReading: boolean
}

interface Links extends AsyncDisposable {
  /** Connects, if that has not been done. */
  open: () => void
  /** Something may have been committed: has it read, here or by the instance that reads for all. */
  poke: () => void
  /** Passes on what was read here. */
  publish: (look: Look) => void
  /** Tells the others that someone is typing. */
  typing: (typing: Typing) => void
  /** Nothing is read here any more. */
  retire: () => void
}

export function openLinks(
  { url, bus: address, source, log }: Options,
  reading: Reading,
  onTyping: (typing: Typing) => void,
): Links {
  const onTrouble = ({ message }: Error) => log.warn(`live events have lost their connection: ${message}`)
  const bus = address
    ? openBus(address, log, {
        onLook: reading.receive,
        onGap: reading.poll,
        // The bus does not say what a standby must have replayed: a signal of this instance does.
        onWake: source ? () => signals.wake() : () => onWake(),
        onSilence: wakeAll,
      })
    : noBus
  // What this instance has written itself is there at once, unless a standby is read.
  const onSent = source ? onWake : () => {}
  const signals = openSignals({ url, onWake, onSent, onTyping, onTrouble })
  /** Whether another instance reads the log for this one. */
  const follows = () => bus.follows(reading.isReading)

  function onWake(position?: string): void {
    if (follows()) return
    if (position !== undefined) source?.want(position)
    reading.poll()
  }

  function wakeAll(): void {
    reading.poll()
    signals.wake()
  }

  function open(): void {
    bus.open()
    signals.open()
  }

  return {
    open,
    poke() {
      bus.open()
      if (follows()) bus.wake()
      else wakeAll()
    },
    publish(look) {
      if (!bus.isConnected || follows()) return
      bus.publish(look)
      // For those that the bus does not reach.
      if (look.items.length > 0) signals.wake()
    },
    typing: signals.typing,
    retire: bus.retire,
    async [Symbol.asyncDispose]() {
      await bus[Symbol.asyncDispose]()
      await signals[Symbol.asyncDispose]()
    },
  }
}
