import type { FastifyReply } from 'fastify'
import type { Db } from '../db/pool.ts'
import { firstIdOf, numberOfId } from '../values/bucket.ts'
import type { EncryptionFields } from '../values/encryption-fields.ts'
import { logOf } from './reader.ts'
import { begin, drain, type Frame, resync, sendMissed, type Stream, toFrame } from './stream.ts'

/** A client that asks for a stream. */
export interface Client {
  wallet: string
  isOver: Stream['isOver']
  /**
   * The position to resume from; NaN when it makes no sense, undefined when the client does not
   * resume.
   */
  after: number | undefined
}

interface Source {
  db: Db
  toWire: EncryptionFields['toWire']
}

/**
 * Sends the head of a stream and what its client missed; from then on the stream is live.
 * `position` is that of the log before this call: what was missed is read after it, and so shows
 * everything up to there.
 */
export async function catchUp(
  source: Source,
  stream: Stream,
  reply: FastifyReply,
  { wallet, after }: Client,
  position: number | undefined,
): Promise<void> {
  const canResume = after !== undefined && !Number.isNaN(after)
  const missed = canResume ? await logOf(source.db).findMissed(source.db, wallet, after) : undefined
  reply.hijack()
  begin(stream, reply.getHeaders(), missed ? after : position)
  if (missed) {
    // Everything up to `settled` was in the snapshot of what was missed, or will never exist.
    const settled = Math.max(after!, position ?? 0)
    for await (const frame of missedFrames(source, missed, settled)) {
      await sendMissed(stream, frame)
      if (stream.response.destroyed) return
    }
  } else if (after !== undefined) await sendMissed(stream, resync(position))
  drain(stream)
}

/** How many items are read at once: it bounds the memory that a slow client needs. */
const pageSize = 20

/**
 * The frames of missed items, read page by page. A client that breaks off in between resumes from
 * `settled` at the latest.
 */
async function* missedFrames(
  { db, toWire }: Source,
  ids: number[],
  settled: number,
): AsyncGenerator<Frame, void, undefined> {
  for (let i = 0; i < ids.length; i += pageSize) {
    const items = await logOf(db).readByIds(db, ids.slice(i, i + pageSize))
    for (const { id, json } of items) {
      const following = ids[ids.indexOf(id, i) + 1]
      const before = following === undefined ? Infinity : firstIdOf(numberOfId(following)) - 1
      yield toFrame(toWire(json), Math.min(settled, before), id)
    }
  }
}
