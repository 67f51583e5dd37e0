// Handles live events of one instance: README.md explains how they work.

import type { FieldRenaming } from '@parley/sdk/contract/encryption.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { ServiceEvent } from '@parley/sdk/contract/events.ts'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import type { Standby } from '../db/standby.ts'
import type { Gate } from '../messages/gate.ts'
import { type Audience, createAudience } from './audience.ts'
import { catchUp } from './catch-up.ts'
import { createDelivery } from './delivery.ts'
import { createGuard } from './stream-gate.ts'
import { createReading } from './reader.ts'
import { openSignals } from './signals.ts'
import { end, type Stream } from './stream.ts'
import { createTypingLimit, type Typing } from './typing.ts'

/** This is a client that requests a stream. */
interface Client {
  wallet: string
  isOver: Stream['isOver']
  sees?: Stream['sees']
  /** This is the position to resume from; NaN when it makes no sense, undefined when the client does not resume. */
  after: number | undefined
}

export interface Events extends AsyncDisposable {
  /** This is called when something may have been committed: it is delivered to the streams here and on other instances. */
  poke: () => void
  /** Passes on that someone is typing; further calls for the same target within a second are dropped. */
  typing: (typing: Typing) => void
  /** Sends an event that is stored nowhere to all streams of this instance. */
  announce: (event: ServiceEvent) => void
  /** Responds to a request with a stream of events. */
  stream: (reply: FastifyReply, client: Client) => Promise<void>
  /** Ends all streams; their clients reconnect to an instance that runs. */
  endStreams: () => void
}

interface Options {
  db: Db
  /** The log is read here, if not in the database. */
  standby?: Standby | undefined
  gate: Gate
  /** This is the URL of the database. */
  url: string
  log: Logger
  toWire: FieldRenaming['toWire']
  /** Two sweeps over all streams are this many milliseconds apart; a quiet stream gets a sign of life after twenty. */
  tickEvery?: number
}

/** Opens the hub of an instance. Nothing is connected or read before the first stream or the first `poke`. */
export function openEvents(options: Options): Events {
  const { db, standby, gate, url, log, toWire, tickEvery = 1000 } = options
  const audience = createAudience(db, () => reading.start())
  const guard = createGuard(gate, audience)
  const delivery = createDelivery(audience, guard, toWire, log, db.now)
  const source = standby?.follow()
  const reading = createReading(source ?? { db, isBehind: false, shown: undefined }, log, delivery.deliverAll)
  const signals = openSignals({
    url,
    log,
    onWake,
    // An instance can read its own writes at once, unless a standby is read.
    onSent: source ? onWake : () => {},
    onTyping: delivery.deliverTyping,
  })
  const typingLimit = createTypingLimit()
  let ending = false
  const ticking = setInterval(() => {
    typingLimit.tidy()
    reading.poll()
    void delivery.sweep(reading.position)
    void guard.retrySometimes()
  }, tickEvery).unref()
  function onWake(position?: string): void {
    if (position !== undefined) source?.want(position)
    reading.poll()
  }
  function close(stream: Stream): void {
    audience.leave(stream)
    if (audience.size === 0) reading.stop()
  }

  return {
    poke() {
      reading.poll()
      signals.wake()
    },
    typing(typing) {
      if (!typingLimit.allows(typing)) return
      delivery.deliverTyping(typing)
      signals.typing(typing)
    },
    announce: delivery.deliverToAll,
    async stream(reply, client) {
      const { raw } = reply
      if (ending) throw new ApiError('unavailable', 'The service is stopping. Connect again in a moment.')
      if (raw.destroyed) {
        reply.hijack()
        return
      }
      const { stream, known, member } = audience.join(client.wallet, raw, client)
      raw.once('close', () => close(stream))
      raw.on('error', () => {})
      try {
        // Typing is stored nowhere: a stream that began before this instance listens would miss it.
        await Promise.all([reading.start(), known, signals.open()])
        const deliveredAll = async () => reading.hasDelivered(await source?.wantAll())
        await catchUp(
          { db, guard, toWire, deliveredAll },
          { member, stream, reply, after: client.after, position: reading.position },
        )
      } catch (error) {
        close(stream)
        if (!raw.headersSent) throw error
        log.warn(`an event stream was cut off: ${(error as Error).message}`)
        raw.destroy()
      }
    },
    endStreams() {
      ending = true
      endAll(audience)
    },
    async [Symbol.asyncDispose]() {
      clearInterval(ticking)
      reading.stop()
      await signals[Symbol.asyncDispose]()
    },
  }
}

/** Makes all clients reconnect, not all at the same moment, and ends what is still open after a second. */
function endAll(audience: Audience): void {
  for (const stream of audience.streams()) end(stream, 500 + Math.floor(Math.random() * 2500))
  setTimeout(() => {
    for (const stream of audience.streams()) end(stream)
  }, 1000).unref()
}
