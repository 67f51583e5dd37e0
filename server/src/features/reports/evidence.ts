// These functions make the copies of messages that a report has.

import { mostEdits } from '@parley/sdk/contract/reactions.ts'
import {
  type Evidence,
  mostEvidence,
  mostEvidenceFiles,
  mostMessages,
  type Report,
} from '@parley/sdk/contract/reports.ts'

const sizeOfOne = (one: Evidence | undefined): number =>
  one === undefined ? 0 : Buffer.byteLength(JSON.stringify(one))

export const sizeOf = (evidence: Evidence[]): number => evidence.reduce((sum, one) => sum + sizeOfOne(one), 0)

/**
 * Adds messages as long as there is room; when a message has no room, its id is stored. A message that is opened now takes the
 * place of the same one that was sealed, and one that was edited since takes the place of what it was, with that as an earlier text.
 */
export function merge(before: Evidence[], now: Evidence[]): Evidence[] {
  const byId = new Map(before.map((one) => [one.id, one]))
  let size = sizeOf(before)
  for (const one of now) {
    const known = byId.get(one.id)
    if (known ? !hasMore(one, known) : byId.size >= mostMessages) continue
    const others = size - sizeOfOne(known)
    const stored = fitting(known ? withTextsOf(one, known) : one, mostEvidence - others)
    byId.set(one.id, stored)
    size = others + sizeOfOne(stored)
  }
  return [...byId.values()]
}

const textsOf = ({ earlier = [], message }: Evidence): string[] => earlier.concat(message ?? [])

const hasMore = (one: Evidence, known: Evidence): boolean =>
  one.message !== undefined &&
  (JSON.stringify(textsOf(one)) !== JSON.stringify(textsOf(known)) || filesBeside(one, known).length > 0)

/** A text that a bot has replaced is in no list of edits, nor is a file that an edit has left out. */
function withTextsOf(one: Evidence, known: Evidence): Evidence {
  const gone = textsOf(known).filter((text) => !textsOf(one).includes(text))
  const files = [...(known.files ?? []), ...filesBeside(one, known)].slice(0, mostEvidenceFiles)
  return {
    ...one,
    ...(gone.length > 0 && { earlier: [...gone, ...(one.earlier ?? [])].slice(0, mostEdits) }),
    ...(files.length > 0 && { files }),
  }
}

/** Returns the files of the one that the other does not have. */
const filesBeside = ({ files = [] }: Evidence, known: Evidence): NonNullable<Evidence['files']> =>
  files.filter(({ id }) => known.files?.every((file) => file.id !== id) ?? true)

/** Leaves out what has no room: first the newest of the earlier texts, so that no edits push out what was sent; then the message. */
function fitting({ earlier, ...one }: Evidence, room: number): Evidence {
  const present = one.message === undefined || sizeOfOne(one) <= room ? one : leftOut(one)
  const texts: string[] = []
  for (const text of earlier ?? [])
    if (sizeOfOne({ ...present, earlier: [...texts, text] }) <= room) texts.push(text)
  return texts.length > 0 ? { ...present, earlier: texts } : present
}

function leftOut(one: Evidence): Evidence {
  const left: Evidence = { ...one, proof: 'left_out' }
  delete left.message
  delete left.files
  delete left.clear_files
  return left
}

/** Returns what lists show of the evidence, and which of it are direct messages. */
export const listed = (evidence: Evidence[]): { items: Report['items']; direct: number[] } => ({
  items: evidence.map(({ id, proof }) => ({ id, proof })),
  direct: evidence.filter(({ toaddr }) => toaddr !== undefined).map(({ id }) => id),
})
