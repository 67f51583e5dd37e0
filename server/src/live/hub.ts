// Live events: every instance tells the wallets that listen to it of what any instance has committed.
//
// The tables are the log (event-log.ts): all ids come from one sequence, and those of a conversation are drawn under its
// lock, so a later one is never visible before an earlier one. A hub reads what is new in one snapshot and tells it in the
// order of ids (event-reader.ts): so the order of each conversation holds. Ids of different conversations become visible in
// any order; event-cursor.ts knows up to where everything has been seen. That position is the `id:` of the events, the point
// from which a client resumes.
//
// The log is read when a request of this instance has written something, when another instance says so (event-signals.ts),
// and once a second in case nobody could. Without streams nothing is read.
//
// A stream that opens is first put among those who are told, and keeps what it is told. Then one snapshot says what it
// missed. Whatever that snapshot does not show becomes visible later, so a later look sees it: nothing falls between.

import { setImmediate as turn } from 'node:timers/promises'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { chatKey } from '../messages/chat-key.ts'
import { createAudience } from './audience.ts'
import { findJoinedChats, findMissed, type Item, readItems } from './log.ts'
import { createReader } from './reader.ts'
import { openSignals } from './signals.ts'
import * as streams from './stream.ts'
import { createTypingLimit, type Typing } from './typing.ts'
import type { EncryptionFields } from '../values/encryption-fields.ts'

export interface Events extends AsyncDisposable {
  /** Something may have been committed: whoever listens is told, here and on other instances. */
  poke: () => void
  /** Passes on that someone is typing; more than one a second for the same target are dropped. */
  typing: (typing: Typing) => void
  /** Answers a request with a stream of events. `after` is the position to resume from, NaN when it makes no sense. */
  stream: (
    reply: FastifyReply,
    to: { wallet: string; isOver: (now: number) => boolean; after: number | undefined },
  ) => Promise<void>
  /** Ends all streams; their clients come back to whoever is there. */
  endStreams: () => void
}

interface Options {
  db: Db
  url: string
  log: Logger
  toWire: EncryptionFields['toWire']
  /** Milliseconds between two rounds of looking after all streams; signs of life are sent after twenty. */
  tickEvery?: number
}

/** Bytes that are written before anything else gets a turn, and what a write costs besides its bytes. */
const bytesPerTurn = 128 * 1024
const perWrite = 512
/** How many items a client that resumes is sent from one look: it bounds the memory a slow one takes. */
const missedPage = 20

/** The hub of an instance. Nothing is connected or read before the first stream or the first `poke`. */
export function openEvents({ db, url, log, toWire, tickEvery = 1000 }: Options): Events {
  const audience = createAudience((wallet) => findJoinedChats(db, wallet))
  const typingLimit = createTypingLimit()
  let ending = false
  let written = 0

  const reader = createReader(db, {
    onItem: tellItem,
    onLost: (position) => tellAll(audience.streams(), () => streams.resync(position)),
    onTrouble: (error) => log.warn(`live events wait for the database: ${error.message}`),
  })
  const signals = openSignals({
    url,
    onWake: reader.look,
    onTyping: tellTyping,
    onTrouble: (error) => log.warn(`live events have lost their connection: ${error.message}`),
  })
  const ticking = setInterval(tick, tickEvery).unref()
  let looking = false

  function tick(): void {
    typingLimit.tidy()
    reader.look()
    if (!looking) void lookAfterAll()
  }

  async function lookAfterAll(): Promise<void> {
    looking = true
    const now = Date.now()
    const { position } = reader
    const sign = streams.signOfLife(position)
    for (const stream of audience.streams())
      if (streams.tick(stream, now, sign, position)) await pause(sign.bytes.length)
    looking = false
  }

  /** Gives others a turn when much has been written since the last. */
  async function pause(bytes: number): Promise<void> {
    written += perWrite + bytes
    if (written <= bytesPerTurn) return
    await turn()
    written = 0
  }

  /** Tells many streams of something, which is made into bytes once there is anybody. */
  async function tellAll(told: Iterable<streams.Stream>, make: () => streams.Frame): Promise<void> {
    let frame: streams.Frame | undefined
    for (const stream of told) {
      frame ??= make()
      streams.tell(stream, frame)
      await pause(frame.bytes.length)
    }
  }

  async function tellItem(item: Item, position: number | undefined): Promise<void> {
    if (item.change !== null) audience.follow(item)
    const told =
      item.kind === 'group'
        ? audience.inChat(item.one)
        : audience.of(item.one, ...(item.other === null ? [] : [item.other]))
    await tellAll(told, () => streams.toFrame(toWire(item.json), position, item.id))
    // Its token is of no use any more.
    if (item.change === 'erased') for (const stream of audience.of(item.one)) streams.end(stream)
  }

  function tellTyping(typing: Typing): void {
    const { fromaddr, toaddr, nftaddr } = typing
    const told =
      nftaddr === undefined
        ? toaddr === fromaddr
          ? []
          : audience.of(toaddr!)
        : audience.inChat(chatKey(nftaddr), fromaddr)
    void tellAll(told, () => streams.toFrame(JSON.stringify({ type: 'typing', ...typing })))
  }

  /** Sends what a snapshot showed. Everything up to `settled` was in that snapshot or will never be. */
  async function tellMissed(stream: streams.Stream, ids: number[], settled: number): Promise<void> {
    for (let i = 0; i < ids.length && !stream.response.destroyed; i += missedPage) {
      const page = ids.slice(i, i + missedPage)
      const { items } = await readItems(
        db,
        page.map((id) => ({ low: id, high: id })),
      )
      for (const { id, json } of items) {
        const following = ids[ids.indexOf(id, i) + 1] ?? Infinity
        const frame = streams.toFrame(toWire(json), Math.min(settled, following - 1), id)
        await streams.tellMissed(stream, frame)
      }
    }
  }

  function leave(stream: streams.Stream): void {
    audience.leave(stream)
    if (audience.size === 0) reader.stop()
  }

  return {
    poke() {
      reader.look()
      signals.wake()
    },

    typing(typing) {
      if (!typingLimit.allows(typing)) return
      tellTyping(typing)
      signals.typing(typing)
    },

    async stream(reply, { wallet, isOver, after }) {
      const { raw } = reply
      if (ending) throw new ApiError('unavailable', 'The service is stopping. Connect again in a moment.')
      if (raw.destroyed) {
        reply.hijack()
        return
      }
      const { stream, known } = audience.join(wallet, raw, isOver)
      raw.once('close', () => leave(stream))
      raw.on('error', () => {})
      try {
        signals.open()
        await Promise.all([reader.begin(), known])
        // Before the snapshot of what was missed, which then shows everything up to here.
        const { position } = reader
        const resumes = after !== undefined
        const missed = resumes && !Number.isNaN(after) ? await findMissed(db, wallet, after) : undefined
        reply.hijack()
        streams.begin(stream, reply.getHeaders(), missed ? after : position)
        if (missed) await tellMissed(stream, missed, Math.max(after!, position ?? 0))
        else if (resumes) await streams.tellMissed(stream, streams.resync(position))
        streams.goLive(stream)
      } catch (error) {
        leave(stream)
        if (!raw.headersSent) throw error
        log.warn(`an event stream was cut off: ${(error as Error).message}`)
        raw.destroy()
      }
    },

    endStreams() {
      ending = true
      // Not all at once, when they come back.
      for (const stream of audience.streams()) streams.end(stream, 500 + Math.floor(Math.random() * 2500))
      setTimeout(() => {
        for (const stream of audience.streams()) streams.end(stream)
      }, 1000).unref()
    },

    async [Symbol.asyncDispose]() {
      clearInterval(ticking)
      reader.stop()
      await signals[Symbol.asyncDispose]()
    },
  }
}
