// The reactions of a message: those in the cached histories, and changes of them.

import type { ChatItem, GroupChatItem } from '@parley/sdk'
import { changeMessage } from './history.ts'

type Item = ChatItem | GroupChatItem
type Reactions = NonNullable<Item['reactions']>

interface Counted {
  count: number
  mine: true | undefined
}

const listed = (counts: Map<string, Counted>): Reactions | undefined => {
  const all = [...counts].filter(([, { count }]) => count > 0)
  return all.length === 0
    ? undefined
    : all.map(([value, { count, mine }]) => (mine ? { value, count, mine } : { value, count }))
}

const countsOf = (reactions: Reactions = []) =>
  new Map(reactions.map(({ value, count, mine }): [string, Counted] => [value, { count, mine }]))

export const ownOf = (reactions: Reactions = []): string[] =>
  reactions.filter(({ mine }) => mine).map(({ value }) => value)

/** Puts the reader's own reactions in the place of those that were shown. */
export function withOwn(reactions: Reactions | undefined, values: readonly string[]): Reactions | undefined {
  const counts = countsOf(reactions)
  for (const value of new Set([...counts.keys(), ...values])) {
    const { count, mine } = counts.get(value) ?? { count: 0, mine: undefined }
    const isMine = values.includes(value)
    counts.set(value, { count: count + Number(isMine) - Number(mine ?? false), mine: isMine || undefined })
  }
  return listed(counts)
}

/** Does the same with those of the other end of a conversation. */
export function withPeer(reactions: Reactions | undefined, values: readonly string[]): Reactions | undefined {
  const counts = countsOf(reactions)
  for (const value of new Set([...counts.keys(), ...values])) {
    const mine = counts.get(value)?.mine
    counts.set(value, { count: Number(mine ?? false) + Number(values.includes(value)), mine })
  }
  return listed(counts)
}

/** Does the same with the counts of all in a chat. */
export function withCounts(reactions: Reactions | undefined, next: Reactions): Reactions | undefined {
  const own = new Set(ownOf(reactions))
  return listed(
    new Map(next.map(({ value, count }) => [value, { count, mine: own.has(value) || undefined }])),
  )
}

type Change = (reactions: Reactions | undefined) => Reactions | undefined

/** Changes the reactions that are shown of a message. */
export function changeReactions(id: number, change: Change): void {
  changeMessage(id, ({ reactions: before, ...rest }) => {
    const reactions = change(before)
    return { ...rest, ...(reactions && { reactions }) }
  })
}

/** The reader has reacted, perhaps on another device. */
export const reactedMyself = (id: number, values: readonly string[]): void =>
  changeReactions(id, (before) => withOwn(before, values))
