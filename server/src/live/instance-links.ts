// Connects an instance with the others: by the bus, where there is one, and by the database.

import type { Logger } from 'pino'
import type { Following } from '../db/standby.ts'
import { type BusAddress, noBus, openBus } from './bus.ts'
import type { PollResult } from '../cluster/poll-result.ts'
import { openSignals } from './signals.ts'
import type { Typing } from './typing.ts'

interface Options {
  /** This is the URL of the database. */
  url: string
  /** This is the address of a message bus; undefined when there is none. */
  bus: BusAddress | undefined
  /** The log is read on this standby, if there is one. */
  source: Following | undefined
  log: Logger
}

/** Reads the log here. */
interface Reading {
  poll: () => void
  receive: (result: PollResult) => void
  readonly isReading: boolean
}

interface Links extends AsyncDisposable {
  /** Connects, if that has not been done. Settles when this instance hears the others, or cannot connect. */
  open: () => Promise<void>
  /** This is called when something may have been committed: has it read, here or by the instance that reads for all. */
  poke: () => void
  /** Passes on a poll result of this instance. */
  publish: (result: PollResult) => void
  /** Notifies the others that someone is typing. */
  typing: (typing: Typing) => void
  /** Says that this instance no longer reads. */
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
        onPollResult: reading.receive,
        onGap: reading.poll,
        // The bus does not say what a standby must have replayed: a signal of this instance does.
        onWake: source ? () => signals.wake() : () => onWake(),
        onSilence: wakeAll,
      })
    : noBus
  // An instance can read its own writes at once, unless a standby is read.
  const onSent = source ? onWake : () => {}
  const signals = openSignals({ url, onWake, onSent, onTyping, onTrouble })
  /** Returns true when another instance reads the log for this one. */
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

  async function open(): Promise<void> {
    bus.open()
    await signals.open()
  }

  return {
    open,
    poke() {
      bus.open()
      if (follows()) bus.wake()
      else wakeAll()
    },
    publish(result) {
      if (!bus.isConnected || follows()) return
      bus.publish(result)
      // This is for instances that the bus does not reach.
      if (result.items.length > 0) signals.wake()
    },
    typing: signals.typing,
    retire: bus.retire,
    async [Symbol.asyncDispose]() {
      await bus[Symbol.asyncDispose]()
      await signals[Symbol.asyncDispose]()
    },
  }
}
