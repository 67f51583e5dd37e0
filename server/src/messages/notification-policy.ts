// Decides which wallet is notified of what, by which means, and when: for mails, pushes, Telegram and webhooks alike. A statement
// that counts many conversations has the consent part as SQL (`mayNotify` in consent.ts); a test compares both.

import type { NotificationRules } from '@parley/sdk/contract/notification-rules.ts'
import { endOfQuiet } from './quiet-hours.ts'

/** Describes a conversation as the recipient sees it. */
export interface ConversationFacts {
  about: 'conversation'
  /** This is the recipient's choice about the peer: 0 none yet, 1 accepted, 2 ignored. */
  state: number
  blocked: boolean
  muted: boolean
  /** This is true when the recipient accepts messages from everyone, so that nobody is a stranger. */
  takesAll: boolean
  /** Counts unread messages of the peer, of those that count. */
  unread: number
}

/** Describes a chat as the recipient sees it. */
export interface ChatFacts {
  about: 'chat'
  joined: boolean
  muted: boolean
  /** This is true when the recipient has blocked the author. */
  blocked: boolean
  /**
   * This is true when the recipient may not read the chat: the recipient is no holder, or is banned, or the chat is taken down.
   */
  closed: boolean
  /** Counts unread posts of other wallets. */
  unread: number
  /** This is true when one of them mentions the recipient. */
  mentioned: boolean
  /** This is true when the recipient wants a notification for every post. */
  everyPost: boolean
}

/** Describes reactions of others to a message of the recipient. */
export interface ReactionFacts {
  about: 'reaction'
  /**
   * Counts the wallets that have reacted. It leaves out what only they see, what they have taken back, and wallets that the
   * recipient has blocked, ignored or muted.
   */
  reactors: number
  /** These are as in ChatFacts; in a conversation `joined` is true and the others are false. */
  joined: boolean
  muted: boolean
  closed: boolean
}

/** Describes an announcement of a chat. */
export interface AnnouncementFacts {
  about: 'announcement'
  /** This is true when the recipient has agreed to announcements of the chat. */
  agreed: boolean
  /** These are as in ChatFacts: `blocked` is about the author, and `unread` is 1 or 0. */
  joined: boolean
  muted: boolean
  blocked: boolean
  closed: boolean
  unread: number
}

/** Describes new members of a chat, which concern its owner and moderators. */
export interface MembersFacts {
  about: 'members'
  moderates: boolean
  closed: boolean
}

/** Stands for all news together: may the recipient be notified at this time at all? */
export const everything = { about: 'everything' } as const

/** What the recipient may want or not. */
type ChosenFacts = ConversationFacts | ChatFacts | ReactionFacts | AnnouncementFacts

export type Facts = ChosenFacts | MembersFacts | typeof everything

/**
 * This is the wallet that would be notified: its choices, and whether it is banned. A banned wallet learns nothing about others.
 */
export type Recipient = NotificationRules & { banned: boolean }

/** These rules hold for a wallet that has chosen nothing. */
export const defaults: NotificationRules = {
  push: { dm: true, requests: false },
  preview: 'name',
  tz: 'UTC',
  quiet: [],
  hold: true,
}

/** `push` includes Telegram. `summary` is the daily mail, which comes at a set hour. */
export type Means = 'push' | 'mail' | 'summary' | 'webhook'

interface Policy {
  /** Returns true when the recipient has chosen to be notified of this. */
  wants: (facts: ChosenFacts, rules: NotificationRules) => boolean
  observesQuietHours: boolean
}

const isRequest = ({ state, takesAll }: ConversationFacts) => state === 0 && !takesAll

const policies: Record<Means, Policy> = {
  push: {
    wants(facts, { push }) {
      if (facts.about === 'announcement') return facts.agreed
      if (facts.about === 'reaction') return push.reactions === true
      if (facts.about === 'conversation') return isRequest(facts) ? push.requests : push.dm
      return (facts.mentioned && push.mentions !== false) || (facts.everyPost && push.chats !== false)
    },
    observesQuietHours: true,
  },
  // The settings of a wallet say whether it wants mails about conversations at all.
  mail: {
    wants: (facts) =>
      facts.about === 'announcement' ? facts.agreed : facts.about === 'conversation' && !isRequest(facts),
    observesQuietHours: true,
  },
  summary: {
    wants: (facts) => facts.about === 'chat' || (facts.about === 'conversation' && !isRequest(facts)),
    observesQuietHours: false,
  },
  // Programs have no night, and the events of their webhook say what they want (features/webhooks/pages.ts).
  webhook: { wants: (facts) => facts.about !== 'reaction', observesQuietHours: false },
}

export type Reason =
  | 'banned'
  | 'read'
  | 'taken back'
  | 'blocked'
  | 'ignored'
  | 'muted'
  | 'left'
  | 'no moderator'
  | 'closed'
  | 'not wanted'
  | 'quiet hours'

export type Decision =
  | { notify: 'now' }
  /** In quiet hours one notification is sent at their end, for everything that came. */
  | { notify: 'later'; at: number }
  | { notify: 'never'; because: Reason }

export function decide(facts: Facts, recipient: Recipient, by: Means, now: number): Decision {
  const { wants, observesQuietHours } = policies[by]
  const reason = recipient.banned ? 'banned' : refusalOf(facts, (one) => wants(one, recipient))
  if (reason) return { notify: 'never', because: reason }
  const end = observesQuietHours ? endOfQuiet(recipient, now) : undefined
  if (end === undefined) return { notify: 'now' }
  return recipient.hold ? { notify: 'later', at: end } : { notify: 'never', because: 'quiet hours' }
}

function refusalOf(facts: Facts, wants: (facts: ChosenFacts) => boolean): Reason | undefined {
  if (facts.about === 'everything') return undefined
  if (facts.about === 'members')
    return facts.moderates ? (facts.closed ? 'closed' : undefined) : 'no moderator'
  if (facts.about === 'reaction') {
    if (facts.reactors === 0) return 'taken back'
  } else {
    if (facts.unread === 0) return 'read'
    if (facts.blocked) return 'blocked'
  }
  if (facts.about === 'conversation' && facts.state === 2) return 'ignored'
  if (facts.about !== 'conversation' && !facts.joined) return 'left'
  if (facts.muted) return 'muted'
  if (facts.about !== 'conversation' && facts.closed) return 'closed'
  return wants(facts) ? undefined : 'not wanted'
}
