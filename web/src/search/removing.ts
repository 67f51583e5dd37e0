// Which messages leave the index: those that a list no longer has, and the oldest ones of too many.

import { countOf } from './index-state.ts'
import type { MessageIndex } from './message-index.ts'
import type { Facts } from './segment.ts'
import type { Listed } from './source.ts'

/** Returns what was indexed of a part of a conversation and has gone since, such as what retention has deleted. */
export const missingIn = (index: MessageIndex, { listed, peer, from, to }: Listed): number[] =>
  index.factsOf(peer).flatMap(({ id }) => (id >= from && id <= to && !listed.has(id) ? [id] : []))

const allFacts = (index: MessageIndex): Facts[] =>
  index
    .all()
    .flatMap(({ segment, dead }) =>
      [...Array.from({ length: segment.count }).keys()].flatMap((doc) =>
        dead.has(doc) ? [] : [segment.facts(doc)],
      ),
    )

/** Leaves so many messages: the newest ones. What is older is read again when there is room. */
export async function removeOldest(index: MessageIndex, most: number): Promise<void> {
  const oldest = allFacts(index)
    .toSorted((a, b) => a.time - b.time || a.id - b.id)
    .slice(0, countOf(index.state) - most)
  const ids = oldest.map(({ id }) => id)
  await index.write([], ids, ({ conversations }) => {
    for (const { peer, id, time } of oldest) {
      const known = conversations[peer]
      if (known) conversations[peer] = { ...known, bottom: id + 1, bottomTime: time + 1, isWhole: false }
    }
  })
}
