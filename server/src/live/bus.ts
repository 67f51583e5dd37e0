// What instances tell each other over NATS, so that one of them reads the log for all: each look at
// the log that it made, with the items. README.md says what makes this safe. Nothing is stored in
// NATS, and nothing is sent again: what is missed there is read in the database.
//
// Which instance reads is not agreed on. Each publishes its looks, unless it hears those of an
// instance that has run longer. When several publish, nothing is delivered twice all the same.

import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Look } from './look.ts'
import { openNats } from './nats.ts'

export interface BusAddress {
  /** As for `openNats`. */
  servers: string[]
  /** The first part of all subjects. */
  prefix: string
}

interface Bus extends AsyncDisposable {
  /** Connects in the background, if that has not been done. */
  open: () => void
  readonly isConnected: boolean
  /**
   * Whether another instance looks at the log, so that this one need not. One that reads itself
   * follows only those that have run longer.
   */
  follows: (isReading: boolean) => boolean
  publish: (look: Look) => void
  /** Asks the instance that looks to look, soon; many calls are one message. */
  wake: () => void
  /** Says that this instance looks no more. */
  retire: () => void
}

interface Listeners {
  onLook: (look: Look) => void
  /** There was a look that is too large for NATS. */
  onGap: () => void
  onWake: () => void
  /** The instance that looks was asked, and there was no look. */
  onSilence: () => void
}

export const noBus: Bus = {
  open() {},
  isConnected: false,
  follows: () => false,
  publish() {},
  wake() {},
  retire() {},
  [Symbol.asyncDispose]: () => Promise.resolve(),
}

/** Looks of another version mean something else. */
const version = 1
/** Milliseconds after a look in which its instance counts as looking; it does so once a second. */
const silence = 1500
/** Milliseconds for a look that was asked for. */
const patience = 250
/** Milliseconds in which many wakes are one message. */
const pause = 2
const farewell = 'bye'

export function openBus({ servers, prefix }: BusAddress, log: Logger, listeners: Listeners): Bus {
  // Those that have run longer come first in the order of these.
  const self = `${Date.now().toString(36).padStart(10, '0')}${randomBytes(6).toString('hex')}`
  const lookSubject = `${prefix}.${version}.look`
  const wakeSubject = `${prefix}.${version}.wake`
  let oldest: { id: string; heard: number } | undefined
  let waking: NodeJS.Timeout | undefined
  let asked: NodeJS.Timeout | undefined
  const nats = openNats(
    servers,
    log,
    new Map([
      [`${lookSubject}.*`, receive],
      [wakeSubject, listeners.onWake],
    ]),
  )

  const isHeard = () => oldest !== undefined && performance.now() - oldest.heard < silence

  function receive(subject: string, text: string): void {
    const id = subject.slice(subject.lastIndexOf('.') + 1)
    if (text === farewell) {
      if (oldest?.id === id) oldest = undefined
      return
    }
    if (!isHeard() || id <= oldest!.id) oldest = { id, heard: performance.now() }
    try {
      listeners.onLook(JSON.parse(text) as Look)
    } catch {
      // Empty, because the look was too large: the database has it.
      listeners.onGap()
    }
  }

  function ask(): void {
    waking = undefined
    nats.send(wakeSubject, '')
    const since = performance.now()
    asked ??= setTimeout(() => {
      asked = undefined
      if (oldest && oldest.heard >= since) return
      oldest = undefined
      listeners.onSilence()
    }, patience).unref()
  }

  return {
    open: nats.open,
    get isConnected() {
      return nats.isConnected
    },
    follows: (isReading) => nats.isConnected && isHeard() && (!isReading || oldest!.id < self),
    publish(look) {
      const text = JSON.stringify(look)
      const fits = Buffer.byteLength(text) <= nats.largest
      nats.send(`${lookSubject}.${self}`, fits ? text : '')
    },
    wake() {
      waking ??= setTimeout(ask, pause).unref()
    },
    retire: () => nats.send(`${lookSubject}.${self}`, farewell),
    async [Symbol.asyncDispose]() {
      clearTimeout(waking)
      clearTimeout(asked)
      this.retire()
      await nats[Symbol.asyncDispose]()
    },
  }
}
