// Instances exchange poll results over NATS, so that one of them reads the log for all: each publishes its polls of the log, with
// the items. README.md says what makes this safe. Nothing is stored in NATS, and nothing is sent again: an instance reads in the
// database what it missed there.
//
// Instances do not agree on which of them reads. Each publishes its polls, unless it receives those of an instance that has run
// longer. When several publish, nothing is delivered twice all the same.

import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { PollResult } from '../cluster/poll-result.ts'
import { openNats } from './nats.ts'

export interface BusAddress {
  /** These have the form that `openNats` needs. */
  servers: string[]
  /** This is the first part of all subjects. */
  prefix: string
}

interface Bus extends AsyncDisposable {
  /** Connects in the background, if that has not been done. */
  open: () => void
  readonly isConnected: boolean
  /**
   * Returns true when another instance polls the log, so that this one need not. One that reads itself follows only those that
   * have run longer.
   */
  follows: (isReading: boolean) => boolean
  publish: (result: PollResult) => void
  /** Requests a poll from the instance that reads, soon; many calls are one message. */
  wake: () => void
  /** Says that this instance no longer polls. */
  retire: () => void
}

interface Listeners {
  onPollResult: (result: PollResult) => void
  /** This is called for a poll result that was too large for NATS. */
  onGap: () => void
  onWake: () => void
  /** This is called when a poll was requested and no result came. */
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

/** Poll results of another version have another meaning. */
const version = 1
/** After its last poll result an instance counts as reading for this many milliseconds; it polls once a second. */
const silence = 1500
/** A requested poll result has this timeout in milliseconds. */
const patience = 250
/** Many wakes within this many milliseconds are one message. */
const pause = 2
const farewell = 'bye'

export function openBus({ servers, prefix }: BusAddress, log: Logger, listeners: Listeners): Bus {
  // Ids of instances that have run longer come first in this order.
  const self = `${Date.now().toString(36).padStart(10, '0')}${randomBytes(6).toString('hex')}`
  const pollSubject = `${prefix}.${version}.look`
  const wakeSubject = `${prefix}.${version}.wake`
  let oldest: { id: string; heard: number } | undefined
  let waking: NodeJS.Timeout | undefined
  let timeout: NodeJS.Timeout | undefined
  const nats = openNats(
    servers,
    log,
    new Map([
      [`${pollSubject}.*`, receive],
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
      listeners.onPollResult(JSON.parse(text) as PollResult)
    } catch {
      // It is empty, because the poll result was too large: the database has it.
      listeners.onGap()
    }
  }

  function ask(): void {
    waking = undefined
    nats.send(wakeSubject, '')
    const since = performance.now()
    timeout ??= setTimeout(() => {
      timeout = undefined
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
    publish(result) {
      const text = JSON.stringify(result)
      const fits = Buffer.byteLength(text) <= nats.largest
      nats.send(`${pollSubject}.${self}`, fits ? text : '')
    },
    wake() {
      waking ??= setTimeout(ask, pause).unref()
    },
    retire: () => nats.send(`${pollSubject}.${self}`, farewell),
    async [Symbol.asyncDispose]() {
      clearTimeout(waking)
      clearTimeout(timeout)
      this.retire()
      await nats[Symbol.asyncDispose]()
    },
  }
}
