// Live events of one instance: README.md explains how they work.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import type { EncryptionFields } from '../values/encryption-fields.ts'
import { createAudience } from './audience.ts'
import { createDelivery } from './delivery.ts'
import { findJoinedChats, findMissed } from './log.ts'
import { missedFrames } from './missed.ts'
import { createReader, type Reader } from './reader.ts'
import { openSignals } from './signals.ts'
import { begin, drain, end, resync, sendMissed, type Stream } from './stream.ts'
import { createTypingLimit, type Typing } from './typing.ts'

export interface Events extends AsyncDisposable {
  /**
   * Something may have been committed: it is delivered to the streams here and on other instances.
   */
  poke: () => void
  /** Passes on that someone is typing; more than one a second for the same target are dropped. */
  typing: (typing: Typing) => void
  /**
   * Answers a request with a stream of events. `after` is the position to resume from, NaN when it
   * makes no sense.
   */
  stream: (reply: FastifyReply, client: Client) => Promise<void>
  /** Ends all streams; their clients reconnect to an instance that runs. */
  endStreams: () => void
}

interface Client {
  wallet: string
  isOver: Stream['isOver']
  after: number | undefined
}

interface Options {
  db: Db
  url: string
  log: Logger
  toWire: EncryptionFields['toWire']
  /**
   * Milliseconds between two sweeps over all streams; a quiet stream gets a sign of life after
   * twenty.
   */
  tickEvery?: number
}

/**
 * The hub of an instance. Nothing is connected or read before the first stream or the first `poke`.
 */
export function openEvents({ db, url, log, toWire, tickEvery = 1000 }: Options): Events {
  const audience = createAudience((wallet) => findJoinedChats(db, wallet))
  const delivery = createDelivery(audience, toWire, log)
  const typingLimit = createTypingLimit()
  let reader: Reader | undefined
  let ending = false

  const signals = openSignals({
    url,
    onWake: () => reader?.poll(),
    onTyping: (typing) => void delivery.deliverTyping(typing),
    onTrouble: (error) => log.warn(`live events have lost their connection: ${error.message}`),
  })
  const ticking = setInterval(() => {
    typingLimit.tidy()
    reader?.poll()
    void delivery.sweep(reader?.position)
  }, tickEvery).unref()

  /** Reads the log and delivers what is found, until the last stream closes. */
  function startReading(): Reader {
    const started = createReader(db, log)
    void delivery.deliverFrom(started).finally(() => {
      if (reader === started) reader = undefined
    })
    return started
  }

  function stopReading(): void {
    reader?.stop()
    reader = undefined
  }

  function close(stream: Stream): void {
    audience.leave(stream)
    if (audience.size === 0) stopReading()
  }

  /** Sends the head and what the client missed. What is new meanwhile waits in the stream. */
  async function open(stream: Stream, reply: FastifyReply, { wallet, after }: Client): Promise<void> {
    // Before the snapshot of what was missed, which then shows everything up to here.
    const position = reader?.position
    const missed =
      after === undefined || Number.isNaN(after) ? undefined : await findMissed(db, wallet, after)
    reply.hijack()
    begin(stream, reply.getHeaders(), missed ? after : position)
    if (!missed) return after === undefined ? undefined : sendMissed(stream, resync(position))
    // Everything up to `settled` was in that snapshot, or will never be there.
    const settled = Math.max(after!, position ?? 0)
    for await (const frame of missedFrames(db, toWire, missed, settled)) {
      await sendMissed(stream, frame)
      if (stream.response.destroyed) return
    }
  }

  return {
    poke() {
      reader?.poll()
      signals.wake()
    },

    typing(typing) {
      if (!typingLimit.allows(typing)) return
      void delivery.deliverTyping(typing)
      signals.typing(typing)
    },

    async stream(reply, client) {
      const { raw } = reply
      if (ending) throw new ApiError('unavailable', 'The service is stopping. Connect again in a moment.')
      if (raw.destroyed) {
        reply.hijack()
        return
      }
      const { stream, known } = audience.join(client.wallet, raw, client.isOver)
      raw.once('close', () => close(stream))
      raw.on('error', () => {})
      try {
        signals.open()
        reader ??= startReading()
        await Promise.all([reader.begun, known])
        await open(stream, reply, client)
        drain(stream)
      } catch (error) {
        close(stream)
        if (!raw.headersSent) throw error
        log.warn(`an event stream was cut off: ${(error as Error).message}`)
        raw.destroy()
      }
    },

    endStreams() {
      ending = true
      // Clients do not all come back at the same moment.
      for (const stream of audience.streams()) end(stream, 500 + Math.floor(Math.random() * 2500))
      setTimeout(() => {
        for (const stream of audience.streams()) end(stream)
      }, 1000).unref()
    },

    async [Symbol.asyncDispose]() {
      clearInterval(ticking)
      stopReading()
      await signals[Symbol.asyncDispose]()
    },
  }
}
