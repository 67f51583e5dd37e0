// Says how far a log has been read whose ids become visible out of their order. The ids here are the numbers of ids
// (values/bucket.ts), which one sequence gives out to all buckets.
//
// An id is drawn before its transaction commits, so a reader that sees 12 cannot conclude that 11 will never come. Ids that are
// missing below the head are remembered as holes and are read again until they appear or are known to be dead.
//
// A hole is dead when every transaction that could have drawn its ids has ended. Such a transaction had its xid before it drew
// the id: the function draw_ids_v1, which is called before any id is drawn, ensures that (migrations/0001_ids.sql). And it drew
// the id before the one that revealed the hole; so its xid is less than `next`, the xid to be given out next when the hole was
// seen. (Not `pg_snapshot_xmax`: that is one more than the latest *ended* xid, and running ones may lie above it.) When a later
// snapshot's xmin has reached that number, all of them have ended, and what that snapshot does not show does not exist.
//
// This holds on a hot standby too, whose snapshots know the xids of the write-ahead log: draw_ids_v1 writes to it, so the xid
// stands there before anything that is written with a later id. Ids and xids are those of the primary. So one cursor may read
// from either, in turn, although a standby is behind.
//
// The position is the safe point to resume from: everything up to it has been read. Where the reading began there may be ids
// below the head that are still in flight; until they have ended there is no position.

export interface Range {
  low: number
  high: number
}

/** This is the snapshot of one poll: its `xmin`, and the xid to be given out next at or after that moment. */
export interface Snapshot {
  xmin: number
  next: number
}

interface Hole extends Range {
  /** The hole is dead when xmin reaches this. */
  until: number
}

/** A larger number would cost each poll too much. It takes this many aborted transactions while a long one holds xmin back. */
const maxHoles = 1000

export interface Cursor {
  /** Returns where the next poll has to search. */
  ranges: () => Range[]
  /**
   * Moves on by the ids that a poll of those ranges found, in ascending order. `isComplete` says that there were no others.
   * Returns the position after each id, and whether something may have been missed for good.
   */
  advance: (
    ids: number[],
    snapshot: Snapshot,
    isComplete: boolean,
  ) => { positions: (number | undefined)[]; lost: boolean }
  readonly position: number | undefined
}

/** Makes a cursor that begins after `head`, the greatest id that the first snapshot shows. */
export function createCursor(head: number, first: Snapshot): Cursor {
  let holes: Hole[] = []
  let begunAt: number | undefined = first.xmin >= first.next ? undefined : first.next

  const positionBefore = (id: number) =>
    begunAt === undefined ? Math.min(head, (holes[0]?.low ?? Infinity) - 1, id - 1) : undefined

  function advance(ids: number[], { xmin, next }: Snapshot, isComplete: boolean) {
    for (const id of ids) {
      if (id <= head) holes = holes.flatMap((hole) => without(hole, id))
      else {
        if (id > head + 1) holes.push({ low: head + 1, high: id - 1, until: next })
        head = id
      }
    }
    let lost = false
    if (isComplete) {
      holes = holes.filter(({ until }) => until > xmin)
      if (begunAt !== undefined && begunAt <= xmin) {
        begunAt = undefined
        lost = true
      }
    }
    if (holes.length > maxHoles) {
      holes = []
      lost = true
    }
    return { positions: ids.map((_, i) => positionBefore(ids[i + 1] ?? Infinity)), lost }
  }

  return {
    ranges: () => [...holes, { low: head + 1, high: Number.MAX_SAFE_INTEGER }],
    advance,
    get position() {
      return positionBefore(Infinity)
    },
  }
}

function without(hole: Hole, id: number): Hole[] {
  if (id < hole.low || id > hole.high) return [hole]
  return [
    { ...hole, high: id - 1 },
    { ...hole, low: id + 1 },
  ].filter(({ low, high }) => low <= high)
}
