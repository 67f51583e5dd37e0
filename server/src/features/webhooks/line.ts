// This module finds the next delivery of a webhook: among those that will be retried, and what the log has for it, the one with
// the least id. It reads the log a page at a time.

import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { type Delivery, findNext } from './deliveries.ts'
import { type Entries, readEntries } from './entries.ts'
import { findFirst, passWaiting, type Range } from './waiting.ts'

export interface Next {
  delivery: Delivery
  /** True when it comes from the log: then it has no row until the first attempt. */
  isNew: boolean
}

export interface Line {
  /** Returns the next one; undefined where there is none. For a webhook that is off, it returns only tests. */
  next: (isOn: boolean) => Promise<Next | undefined>
  /** Notes that the last one, and all before it, is past: with the note of an attempt, in its transaction. */
  pass: (tx: Db) => Promise<void>
  /** Passes one that is not sent: noted with the next one, or at the end. */
  skip: () => void
  /** Notes what was skipped. Returns true when there is more. */
  end: () => Promise<boolean>
}

export function openLine({ db, config }: Pick<Context, 'db' | 'config'>, wallet: string, hook: string): Line {
  let page: (Entries & { range: Range }) | undefined
  /** These are ids of the page: the last entry, up to where it is done, and up to where that is noted. */
  let [last, done, passed] = [0, 0, 0]

  async function passTo(tx: Db, id: number): Promise<void> {
    if (!page || id <= passed) return
    await passWaiting(tx, wallet, hook, page.range, id)
    passed = id
  }

  /**
   * Reads from the range that begins first what comes before all other ranges and before a delivery. Where that is nothing, the
   * range begins at its next entry from then on: so each range is read once for each of its entries, however many there are.
   */
  async function readPage(before: Delivery | undefined): Promise<boolean> {
    for (;;) {
      const [first, second] = await findFirst(db, wallet, hook)
      if (!first || (before && before.id <= first.from_id)) return false
      const read = await readEntries(db, wallet, first, first.to_id, config.dmDefault)
      // An id is in only one range: the id at which the second begins may be of this one.
      const isNext = ({ id }: { id: number }) =>
        (!second || id <= second.from_id) && (!before || id < before.id)
      const entries = read.entries.filter(isNext)
      const later = read.entries[entries.length]
      const upTo = later ? later.id - 1 : read.upTo
      if (entries.length === 0) await passWaiting(db, wallet, hook, first, upTo)
      else {
        page = { range: first, entries, upTo }
        ;[done, passed] = [0, 0]
        return true
      }
    }
  }

  return {
    async next(isOn) {
      for (;;) {
        const entry = isOn ? page?.entries.shift() : undefined
        if (entry) {
          last = entry.id
          return { delivery: untried(entry, page!.range), isNew: true }
        }
        if (isOn && page) await passTo(db, page.upTo)
        page = undefined
        const tried = await findNext(db, wallet, hook)
        if (!isOn) return tried?.event === 'test' ? { delivery: tried, isNew: false } : undefined
        if (!(await readPage(tried))) return tried && { delivery: tried, isNew: false }
      }
    },
    async pass(tx) {
      done = last
      await passTo(tx, done)
    },
    skip: () => void (done = last),
    async end() {
      await passTo(db, done)
      return (
        (await findNext(db, wallet, hook)) !== undefined || (await findFirst(db, wallet, hook)).length > 0
      )
    },
  }
}

const untried = (entry: Entries['entries'][number], { chat }: Range): Delivery => ({
  ...entry,
  chat: chat === '' ? null : chat,
  attempt: 0,
  status: null,
  tried_ms: null,
  is_done: false,
  answered: null,
})
