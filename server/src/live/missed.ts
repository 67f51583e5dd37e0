import type { Db } from '../db/pool.ts'
import type { EncryptionFields } from '../values/encryption-fields.ts'
import { readItems } from './log.ts'
import { type Frame, toFrame } from './stream.ts'

/** How many items are read at once: it bounds the memory that a slow client needs. */
const pageSize = 20

/**
 * The frames of items that a client missed, read page by page. `settled` is the position up to
 * which a snapshot has shown all items: a client that breaks off in between resumes from no later
 * than that.
 */
export async function* missedFrames(
  db: Db,
  toWire: EncryptionFields['toWire'],
  ids: number[],
  settled: number,
): AsyncGenerator<Frame, void, undefined> {
  for (let i = 0; i < ids.length; i += pageSize) {
    const ranges = ids.slice(i, i + pageSize).map((id) => ({ low: id, high: id }))
    const { items } = await readItems(db, ranges)
    for (const { id, json } of items) {
      const following = ids[ids.indexOf(id, i) + 1] ?? Infinity
      yield toFrame(toWire(json), Math.min(settled, following - 1), id)
    }
  }
}
