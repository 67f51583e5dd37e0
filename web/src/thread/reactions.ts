// The reactions of a message in the cached histories. The reader's own appear at once; the service has the last word.

import type { ChatItem, GroupChatItem } from '@parley/sdk'
import { client, describeError } from '../service/api.ts'
import { showNotice } from '../state/notice.ts'
import { changeMessage } from './history.ts'

type Item = ChatItem | GroupChatItem
type Reactions = NonNullable<Item['reactions']>

/** A wallet reacts to a message with at most this many values. */
const most = 3

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

const ownOf = (reactions: Reactions = []): string[] =>
  reactions.filter(({ mine }) => mine).map(({ value }) => value)

/** Puts the reader's own reactions in the place of those that were shown. */
function withOwn(reactions: Reactions | undefined, values: readonly string[]): Reactions | undefined {
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

/** The reader has reacted, perhaps on another device. What the reader chose here since then counts more. */
export function reactedMyself(id: number, values: readonly string[]): void {
  if (!wanted.has(id)) changeReactions(id, (before) => withOwn(before, values))
}

/** The reader has chosen these for a message, and the service does not have them yet. */
const wanted = new Map<number, string[]>()

/** Adds a reaction of the reader to a message, or takes it back: at once here, and then on the service. */
export async function toggleReaction(
  id: number,
  before: Reactions | undefined,
  value: string,
): Promise<void> {
  const own = wanted.get(id) ?? ownOf(before)
  const isOn = own.includes(value)
  if (!isOn && own.length >= most) return showNotice(`You can add ${most} reactions to a message.`)
  const values = isOn ? own.filter((one) => one !== value) : [...own, value]
  const isSending = wanted.has(id)
  wanted.set(id, values)
  changeReactions(id, (reactions) => withOwn(reactions, values))
  if (isSending) return
  let sent = ownOf(before)
  try {
    for (let next = values; next !== sent; next = wanted.get(id)!) {
      await client.react({ id, body: { values: next } })
      sent = next
    }
  } catch (error) {
    changeReactions(id, (reactions) => withOwn(reactions, sent))
    showNotice(`Couldn’t react. ${describeError(error)}`)
  } finally {
    wanted.delete(id)
  }
}
