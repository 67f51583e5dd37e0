import type { FieldRenaming } from '@parley/sdk/contract/encryption.ts'
import type { FastifyReply } from 'fastify'
import type { Db } from '../db/pool.ts'
import { firstIdOf, numberOfId } from '../values/bucket.ts'
import type { Member } from './audience.ts'
import type { Guard } from './stream-gate.ts'
import { isOfChat } from '../cluster/item.ts'
import { begin, type Frame, release, resync, sendMissed, type Stream, toFrame } from './stream.ts'

interface Source {
  db: Db
  guard: Guard
  toWire: FieldRenaming['toWire']
}

/**
 * Sends the head of a stream and what its client missed; from then on the stream is live. `position` is that of the log before
 * this call: missed items are read after it, and so include everything up to there.
 */
export async function catchUp(
  source: Source,
  member: Member,
  stream: Stream,
  reply: FastifyReply,
  after: number | undefined,
  position: number | undefined,
): Promise<void> {
  const canResume = after !== undefined && !Number.isNaN(after)
  const missed = canResume ? await findMissed(source, member, after) : undefined
  reply.hijack()
  // The new position comes with what makes it true: a client that is cut off before the resync must get it again.
  begin(stream, reply.getHeaders(), canResume ? after : after === undefined ? position : undefined)
  if (missed) {
    // Everything up to `settled` was in the snapshot of the missed items, or will never exist.
    const settled = Math.max(after!, position ?? 0)
    for await (const frame of missedFrames(source, member, missed, settled)) {
      await sendMissed(stream, frame)
      if (stream.response.destroyed) return
    }
  } else if (after !== undefined) await sendMissed(stream, resync(position))
  release(stream, source.guard.passesTo(member))
}

async function findMissed({ db, guard }: Source, member: Member, after: number) {
  const closed = await guard.closedTo(member, member.chats)
  return db.layout.log.findMissed(db, member.address, after, closed)
}

/** This many items are read at once: a megabyte at most, which limits the memory of a slow client. */
const pageSize = 8

/**
 * Yields the frames of missed items, read page by page. A client that breaks off in between resumes from `settled` at the latest.
 */
async function* missedFrames(
  { db, guard, toWire }: Source,
  member: Member,
  ids: number[],
  settled: number,
): AsyncGenerator<Frame, void, undefined> {
  for (let i = 0; i < ids.length; i += pageSize) {
    const items = await db.layout.log.readByIds(db, ids.slice(i, i + pageSize))
    // The gates are checked again: a slow client may read for longer than a result counts.
    const chats = new Set(items.flatMap((item) => (isOfChat(item) ? [item.one] : [])))
    const closed = await guard.closedTo(member, chats)
    for (const { id, kind, one, json } of items) {
      if (isOfChat({ kind }) && closed.includes(one)) continue
      const following = ids[ids.indexOf(id, i) + 1]
      const before = following === undefined ? Infinity : firstIdOf(numberOfId(following)) - 1
      yield toFrame(toWire(json), Math.min(settled, before), id)
    }
  }
}
