// These functions make the copies of messages that a report has.

import { type Evidence, mostEvidence, mostMessages, type Report } from '@parley/sdk/contract/reports.ts'

const sizeOfOne = (one: Evidence | undefined): number =>
  one === undefined ? 0 : Buffer.byteLength(JSON.stringify(one))

export const sizeOf = (evidence: Evidence[]): number => evidence.reduce((sum, one) => sum + sizeOfOne(one), 0)

/**
 * Adds messages as long as there is room; when a message has no room, its id is stored. A message that is opened now takes the
 * place of the same one that was sealed.
 */
export function merge(before: Evidence[], now: Evidence[]): Evidence[] {
  const byId = new Map(before.map((one) => [one.id, one]))
  let size = sizeOf(before)
  for (const one of now) {
    const known = byId.get(one.id)
    if (known ? known.message !== undefined : byId.size >= mostMessages) continue
    const others = size - sizeOfOne(known)
    const stored = fitting(one, mostEvidence - others)
    byId.set(one.id, stored)
    size = others + sizeOfOne(stored)
  }
  return [...byId.values()]
}

/** Leaves out what has no room: first the earlier texts, and then the message. */
function fitting(one: Evidence, room: number): Evidence {
  if (one.message === undefined || sizeOfOne(one) <= room) return one
  const { earlier: _earlier, ...present } = one
  return sizeOfOne(present) <= room ? present : leftOut(present)
}

function leftOut(one: Evidence): Evidence {
  const left: Evidence = { ...one, proof: 'left_out' }
  delete left.message
  return left
}

/** Returns what lists show of the evidence, and which of it are direct messages. */
export const listed = (evidence: Evidence[]): { items: Report['items']; direct: number[] } => ({
  items: evidence.map(({ id, proof }) => ({ id, proof })),
  direct: evidence.filter(({ toaddr }) => toaddr !== undefined).map(({ id }) => id),
})
