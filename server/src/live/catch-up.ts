import type { FieldRenaming } from '@parley/sdk/contract/encryption.ts'
import type { FastifyReply } from 'fastify'
import type { Db } from '../db/pool.ts'
import { firstIdOf, numberOfId } from '../values/bucket.ts'
import { asItIsNow } from './as-it-is-now.ts'
import type { Member } from './audience.ts'
import type { Guard } from './stream-gate.ts'
import { isOfChat, jsonFor } from '../cluster/log.ts'
import { begin, type Frame, release, resync, sendMissed, type Stream, takeItems, toFrame } from './stream.ts'

interface Source {
  db: Db
  guard: Guard
  toWire: FieldRenaming['toWire']
  /** Settles when everything has been delivered that was committed before the call. */
  deliveredAll: () => Promise<void>
}

interface Opening {
  member: Member
  stream: Stream
  reply: FastifyReply
  /** The client resumes from here. */
  after: number | undefined
  /** The position of the log before the missed items are read: they include everything up to there. */
  position: number | undefined
}

/**
 * Sends the head of a stream and what its client missed; from then on the stream is live.
 *
 * A poll that began before the missed items were read may deliver what was deleted meanwhile, after the client got the deletion
 * as missed. So what such polls have delivered is sent with the missed items, in the order of ids, where it is still there.
 */
export async function catchUp(source: Source, opening: Opening): Promise<void> {
  const { member, stream, reply, after, position } = opening
  const canResume = after !== undefined && !Number.isNaN(after)
  const missed = canResume ? await findMissed(source, member, after) : undefined
  await source.deliveredAll()
  const ids = [...(missed ?? []), ...(await stillThere(source, member, takeItems(stream), missed))]
  reply.hijack()
  // The new position comes with what makes it true: a client that is cut off before the resync must get it again.
  begin(stream, reply.getHeaders(), canResume ? after : after === undefined ? position : undefined)
  if (after !== undefined && !missed) await sendMissed(stream, resync(position))
  // Everything up to `settled` was in the snapshot of the missed items, or will never exist.
  const settled = canResume ? Math.max(after, position ?? 0) : position
  for await (const frame of missedFrames(
    source,
    member,
    ids.toSorted((one, other) => one - other),
    settled,
  )) {
    await sendMissed(stream, frame)
    if (stream.response.destroyed) return
  }
  release(stream, source.guard.passesTo(member))
}

async function findMissed({ db, guard }: Source, member: Member, after: number) {
  const closed = await guard.closedTo(member, member.chats)
  return db.layout.log.findMissed(db, member.address, after, closed)
}

/** Returns those of some items that are not among the missed ones, and that the member can still read. */
async function stillThere(source: Source, member: Member, ids: number[], missed: number[] = []) {
  const others = ids.filter((id) => !missed.includes(id))
  if (others.length === 0) return []
  const there = await findMissed(source, member, Math.min(...others) - 1)
  return others.filter((id) => there?.includes(id) ?? true)
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
  settled: number | undefined,
): AsyncGenerator<Frame, void, undefined> {
  for (let i = 0; i < ids.length; i += pageSize) {
    const found = await db.layout.log.readByIds(db, ids.slice(i, i + pageSize))
    const items = (
      await asItIsNow(
        db,
        found.map((item) => ({ item })),
      )
    ).map(({ item }) => item)
    // The gates are checked again: a slow client may read for longer than a result counts.
    const chats = new Set(items.flatMap((item) => (isOfChat(item) ? [item.one] : [])))
    const closed = await guard.closedTo(member, chats)
    for (const item of items) {
      const { id, one } = item
      if (isOfChat(item) && closed.includes(one)) continue
      const following = ids[ids.indexOf(id, i) + 1]
      const before = following === undefined ? Infinity : firstIdOf(numberOfId(following)) - 1
      const json = jsonFor(item, member.address)
      yield toFrame(toWire(json), settled === undefined ? undefined : Math.min(settled, before), id)
    }
  }
}
