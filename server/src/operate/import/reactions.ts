// The reactions of an export become those of people. Where it gives a number without all of the people, the rest are of people whom
// nobody knows: the numbers stay what they were.

import { maxEmojiBytes, mostKinds } from '@parley/sdk/contract/reactions.ts'
import { isEmoji } from '@parley/sdk/unseen.ts'
import type { Kind, Reacted } from './records.ts'
import type { Reason } from './report.ts'

/** One emoji of a message, and the addresses of all who reacted with it. */
export interface Reaction {
  emoji: string
  users: string[]
}

/** A message has at most this many reactions of all kinds together. */
const mostOfMessage = 1000
const mostOfPerson = 3

/** The names of these people are not in the export. */
const unknownPerson = (kind: Kind, n: number) => `${kind === 'parley' ? 'discord' : kind}:somebody-${n}`

/** Returns the emoji of Unicode that a value is: some systems leave out the selector that makes a sign one. */
function emojiIn(value: string): string | undefined {
  if (Buffer.byteLength(value) > maxEmojiBytes) return undefined
  return [value, `${value}\ufe0f`].find(isEmoji)
}

export function reactionsOf(
  all: Reacted[],
  addressOf: (id: string) => string,
  { kind, leaveOut }: { kind: Kind; leaveOut: (reason: Reason, many?: number) => void },
): Reaction[] {
  const found = new Map<string, Set<string>>()
  const ofPerson = new Map<string, number>()
  let [total, unknown] = [0, 0]
  const add = (users: Set<string>, user: string) => {
    const before = ofPerson.get(user) ?? 0
    if (users.has(user)) return
    if (before === mostOfPerson || total === mostOfMessage) return leaveOut('reactions')
    ofPerson.set(user, before + 1)
    users.add(user)
    total++
  }
  for (const { emoji: given, users, count } of all) {
    const emoji = emojiIn(given)
    const isNumber = Number.isSafeInteger(count) && count > 0
    const many = Math.max(users.length, isNumber ? count : 0)
    if (emoji === undefined || (!found.has(emoji) && found.size === mostKinds)) {
      leaveOut(emoji === undefined ? 'emoji' : 'reactions', many || 1)
      continue
    }
    const of = found.get(emoji) ?? new Set()
    found.set(emoji, of)
    for (const user of users.slice(0, mostOfMessage)) if (user) add(of, addressOf(user))
    const more = Math.min(many - users.length, mostOfMessage - total)
    if (many - users.length > more) leaveOut('reactions', many - users.length - more)
    for (let n = 0; n < more; n++) add(of, unknownPerson(kind, ++unknown))
  }
  return [...found]
    .map(([emoji, users]) => ({ emoji, users: [...users] }))
    .filter(({ users }) => users.length > 0)
}
