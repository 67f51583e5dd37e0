// The report of an import: how much was taken, and of what was not taken how much and why. Nothing is left out silently.

import { linesOf, type Result } from '../terminal.ts'

/** Why something of an export is not taken, as the report says it. */
const reasons = {
  system: 'messages of the system, such as “joined the channel”',
  empty: 'messages without a text and without a file that is in the export',
  direct: 'direct messages: they belong to two people, and stay where they are',
  other: 'messages of channels that were not chosen',
  unreadable: 'messages without an id, an author or a time that can be read',
  time: 'messages whose time is not one of the past',
  twice: 'messages that the export has twice',
  cut: 'texts that were longer than 64 KiB: their beginning is taken',
  reply: 'replies to a message that is not in the export: they are messages without a quote',
  'file-away': 'files that are not in the export, only their address at the old place',
  'file-outside': 'files whose path leads out of the export, or by a link',
  'file-large': 'files larger than this service takes',
  'file-blocked': 'files that an operator of this service has blocked',
  'file-many': 'files beyond ten of a message',
  embed: 'previews of links, stickers, polls and other parts that are no text and no file',
  emoji: 'reactions that are no emoji of Unicode, such as pictures of the old place',
  reactions: 'reactions beyond three of a person, 20 kinds or a thousand of a message',
  pin: 'pins beyond 50 of a chat, or of a message that is not in the export',
} as const
export type Reason = keyof typeof reasons

interface Counts {
  messages: number
  people: number
  with_wallet: number
  files: number
  reactions: number
  pins: number
}

export type LeftOut = { [reason in Reason]?: number }

export const createLeftOut = () => {
  const counts: LeftOut = {}
  return {
    counts,
    add: (reason: Reason, many = 1) => void (counts[reason] = (counts[reason] ?? 0) + many),
  }
}

export interface Imported extends Counts {
  channel: string
  chat: string
  /** It was imported before, and nothing is added. */
  again: boolean
  first: string | null
  last: string | null
}

const numbers = (one: Counts): string =>
  [
    `${one.messages} messages`,
    `${one.people} people, ${one.with_wallet} of them with a wallet`,
    `${one.files} files`,
    `${one.reactions} reactions`,
    `${one.pins} pins`,
  ].join(', ')

/** Makes the result of the command. */
export function resultOf(chats: Imported[], left: LeftOut, isDry: boolean, seconds: string): Result {
  const would = isDry ? 'Would import' : 'Imported'
  const lines = chats.map(({ channel, chat, again, ...counts }) =>
    again
      ? `${channel} is in ${chat} already: nothing is added.`
      : `${would} ${channel} into ${chat}: ${numbers(counts)}${counts.first ? `, from ${counts.first} to ${counts.last}` : ''}.`,
  )
  const rows = Object.entries(left).map(
    ([reason, count]) => [String(count), reasons[reason as Reason]] as [string, string],
  )
  const text = [
    ...lines,
    rows.length === 0 ? 'Everything was taken.' : `Not taken, or not as it was:\n${linesOf(rows)}`,
    isDry ? 'Nothing is changed: this was a dry run.' : `It took ${seconds} s.`,
  ]
  return { text: text.join('\n'), data: { dry_run: isDry, chats, left_out: left } }
}
