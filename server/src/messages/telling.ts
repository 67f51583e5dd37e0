// Who is told of what, by which channel, and when: the one decision of mails, pushes, Telegram and webhooks. `mayNotify`
// (consent.ts) is its part about consent as SQL, for statements that count many conversations. Quiet hours, and what was read
// meanwhile, are about people: a program is told at once, of what its owner has chosen for it.

import type { NotificationRules } from '@parley/sdk/contract/notification-rules.ts'
import { endOfQuiet } from './quiet-hours.ts'

export type Channel = 'mail' | 'push'

/** What is known of a conversation, as seen by the wallet that would be told. */
export interface Facts {
  /** What the wallet thinks of the other: 0 nothing yet, 1 accepted, 2 ignored. */
  state: number
  blocked: boolean
  muted: boolean
  /** Whether the wallet takes messages of everyone, so that nobody is a stranger. */
  takesAll: boolean
  /** Messages of the other that count and are not read. */
  unread: number
}

export type Decision =
  | { tell: 'now' }
  /** Quiet hours: once at their end, together with all else that came. */
  | { tell: 'at'; at: number }
  | { tell: 'never'; because: Reason }

/** Who would be told: what it has chosen, and whether it is banned. A banned wallet is told nothing of others by any channel. */
export type Recipient = NotificationRules & { banned: boolean }

type Reason =
  | 'banned'
  | 'read'
  | 'blocked'
  | 'ignored'
  | 'muted'
  | 'left'
  | 'closed'
  | 'not wanted'
  | 'quiet hours'

const never = (because: Reason): Decision => ({ tell: 'never', because })

/** What holds for a wallet that has chosen nothing. */
export const defaults: NotificationRules = {
  push: { dm: true, requests: false },
  preview: 'name',
  tz: 'UTC',
  quiet: [],
  hold: true,
}

// Whether a wallet wants mails at all stands in its settings.
const ofMails = { dm: true, requests: false }

/** Why no channel tells of another wallet; undefined where they may. */
export function silenceOf(
  { state, blocked, muted }: Pick<Facts, 'state' | 'blocked' | 'muted'>,
  { banned }: Pick<Recipient, 'banned'>,
) {
  if (banned) return 'banned'
  if (blocked) return 'blocked'
  if (state === 2) return 'ignored'
  return muted ? 'muted' : undefined
}

export function decide(facts: Facts, rules: Recipient, channel: Channel, now: number): Decision {
  if (facts.unread === 0) return never('read')
  const silence = silenceOf(facts, rules)
  if (silence) return never(silence)
  const wanted = channel === 'mail' ? ofMails : rules[channel]
  const isRequest = facts.state === 0 && !facts.takesAll
  if (!(isRequest ? wanted.requests : wanted.dm)) return never('not wanted')
  return whenToTell(rules, now)
}

/** What is known of a chat, as seen by a wallet that would be told of it. Posts of wallets that it has blocked do not count. */
export interface ChatFacts {
  joined: boolean
  muted: boolean
  /** Whether the wallet may not read it: no holder, banned, or the chat is taken down. */
  closed: boolean
  /** Posts of others that are not read. */
  unread: number
  /** Whether one of them mentions the wallet. */
  mentioned: boolean
  /** Whether the wallet wants to be told of each. */
  tellAll: boolean
}

/** Why no channel tells of a chat; undefined where they may. */
export function silenceOfChat(
  { joined, muted, closed }: Pick<ChatFacts, 'joined' | 'muted' | 'closed'>,
  { banned }: Pick<Recipient, 'banned'>,
) {
  if (banned) return 'banned'
  if (!joined) return 'left'
  if (muted) return 'muted'
  return closed ? 'closed' : undefined
}

/** The same of a chat. Mails tell nothing of chats but how much is unread in the daily summary. */
export function decideChat(facts: ChatFacts, { push, ...rules }: Recipient, now: number): Decision {
  if (facts.unread === 0) return never('read')
  const silence = silenceOfChat(facts, rules)
  if (silence) return never(silence)
  const isWanted = (facts.mentioned && push.mentions !== false) || (facts.tellAll && push.chats !== false)
  return isWanted ? whenToTell({ push, ...rules }, now) : never('not wanted')
}

/** When what is to be told is told. */
export function whenToTell(rules: Recipient, now: number): Decision {
  if (rules.banned) return never('banned')
  const end = endOfQuiet(rules, now)
  if (end === undefined) return { tell: 'now' }
  return rules.hold ? { tell: 'at', at: end } : { tell: 'never', because: 'quiet hours' }
}
