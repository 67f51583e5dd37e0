// This file describes a direct message: its columns, how it is stored, and its JSON in lists and inboxes.

import type { ChatItem, NewChatItem } from '@parley/sdk/contract/direct-messages.ts'
import {
  type Fields,
  jsonBoolean,
  jsonFields,
  jsonIfAny,
  jsonMade,
  jsonNumberIfAny,
  jsonObject,
  jsonOptional,
  jsonOrBlank,
  jsonText,
  jsonTimestamps,
  jsonTruncated,
} from '../db/json.ts'
import { placeOf } from '../values/bucket.ts'
import {
  type Columns,
  filesInPreview,
  filesOf,
  namesOf,
  replyOf,
  timestampsOf,
  versionOf,
} from './columns.ts'
import { directMarks } from './marks.ts'
import {
  asAllSee,
  asSeenBy,
  type ColumnOf,
  columnSeenBy,
  earlier,
  inRow,
  versionsOfMessage,
} from './versions.ts'
import { isCut, jsonNameOf, previewOf } from './shared-sql.ts'
import type { Stored } from './message-types.ts'
import { storing } from './store-messages.ts'

type TextName = Exclude<keyof NewChatItem, 'reply_to' | 'files'>
type Texts = Pick<NewChatItem, TextName>

/**
 * A sender gives these values, each a column of direct_messages and a parameter of send_direct_messages_v1. The JSON of lists and
 * events, the response of a send, and the copy for inboxes with its version are made from this list.
 */
const messageColumns: Columns<TextName> = {
  fromaddr: {},
  toaddr: {},
  message: {},
  nftaddr: { optional: true },
  nftid: { optional: true },
  encrypted_sym_x_key: { optional: true },
  x_access_conditions: { optional: true },
}

const columnNames = namesOf(messageColumns)
const required = columnNames.filter((name) => !messageColumns[name].optional)
export const optionalColumns = columnNames.filter((name) => messageColumns[name].optional)

/** Makes the fields of sender and recipient: they are the same in all messages from one of two wallets to the other. */
const ends = (from: string, to: string): Fields => [
  ...jsonText('fromaddr', from),
  ...jsonText('toaddr', to),
  ...jsonOrBlank('sender_name', jsonNameOf(from)),
]

/** Makes the fields that an edit may change: `of` names the columns of a version. */
const versionOfColumns = (of: ColumnOf): Fields => [
  ...jsonText('message', of('message')),
  ...jsonOptional(optionalColumns, 'm', 'omitted', (column) =>
    column.startsWith('m.nft') ? column : of(column.slice('m.'.length)),
  ),
]

const chatItemWith = (fromTo: Fields, version: Fields, ...more: Fields[]): string =>
  jsonObject('m.id', fromTo, version, jsonBoolean('read', 'm.read'), jsonTimestamps('m.ms'), ...more)

/** Only a row with marks has these fields. */
const special: Fields = [...jsonNumberIfAny('reply_to', 'm.reply_to'), ...jsonIfAny('files', 'm.files')]
const endsOfMessage = ends('m.fromaddr', 'm.toaddr')
const plainVersion = versionOfColumns(inRow)

/** Makes a row `m` of direct_messages into JSON text in the shape of the contract, as all see it; null is omitted. */
export const chatItem = chatItemWith(endsOfMessage, asAllSee(versionOfColumns), special)

/** Does the same as the wallet `reader` sees it. */
export const chatItemSeenBy = (reader: string) =>
  chatItemWith(endsOfMessage, asSeenBy(reader, versionOfColumns), special)

/** Does the same with what stood before, for an export. */
export const chatItemExported = (reader: string) =>
  chatItemWith(endsOfMessage, asSeenBy(reader, versionOfColumns), special, earlier(versionsOfMessage(reader)))

/** Does the same as chatItemSeenBy with its reactions and its pin. */
export const chatItemFor = (reader: string, bucket: string) =>
  chatItemWith(endsOfMessage, asSeenBy(reader, versionOfColumns), special, directMarks(reader, bucket))

/** These are for lists: of a row whose `marks` are 0, and of any row. */
interface ListItem {
  item: string
  fullItem: string
  fullTexts: string[]
}

const listItem = (fromTo: Fields, reader: string, marked: Fields): ListItem => ({
  item: chatItemWith(fromTo, plainVersion),
  fullItem: chatItemWith(fromTo, asSeenBy(reader, versionOfColumns), special, marked),
  // Both ends see about the same reactions: those of one count.
  fullTexts: ['m.own::text', 'm.files::text', 'coalesce(m.reacted[1], m.reacted[2])'],
})

/** These are the items of a list, in which each message has its own ends. */
export const itemsOfEach = (reader: string, bucket: string) =>
  listItem(endsOfMessage, reader, directMarks(reader, bucket))

/** They are the same where `m.marked` is the result of marksOfMessage: a cluster reads it where the message is. */
export const itemsMarked = (reader: string) => listItem(endsOfMessage, reader, jsonMade('m.marked'))
export const marksOfMessage = (reader: string) => jsonFields(directMarks(reader, 'm.bucket'))

/** They are the same where `m.ends` is the result of endsOf: in lists of two wallets, once for each of them. */
export const itemsOfTwo = (reader: string, bucket: string) =>
  listItem(jsonMade('m.ends'), reader, directMarks(reader, bucket))
export const endsOf = (from: string, to: string): string => jsonFields(ends(from, to))

/** Returns the values of a sender in the order of the columns; missing ones are omitted, or empty. */
function pick(message: NewChatItem, whenLeftOut?: ''): Texts {
  const picked: Partial<Texts> = {}
  for (const name of columnNames) {
    const value = message[name] ?? whenLeftOut
    if (value !== undefined) picked[name] = value
  }
  return picked as Texts
}

/** Makes the same JSON from a message that was just stored. */
const storedChatItem = (message: NewChatItem, { id, ms, sender_name, files }: Stored): ChatItem => ({
  id,
  ...pick(message),
  ...replyOf(message),
  ...filesOf({ files }),
  read: message.fromaddr === message.toaddr,
  sender_name,
  ...timestampsOf(ms),
})

/**
 * Makes the part of an inbox row that comes from a row `m`, sent at `ms`, and never changes; null becomes empty. `shown` gives
 * what is shown of a column.
 */
export const lastItem = (ms: string, shown = (column: string) => column): string =>
  jsonFields(
    ...required.map((name) => jsonText(name, shown(`m.${name}`))),
    jsonOptional(optionalColumns, 'm', 'blank', shown),
    jsonTimestamps(ms),
  )

/** Selects the columns of a message `m` that its preview needs, as the wallet `reader` sees them. */
export const previewColumns = (reader: string): string =>
  [
    'm.id, m.ms, m.read, m.fromaddr, m.toaddr, m.nftaddr, m.nftid, m.files',
    ...['message', 'encrypted_sym_x_key', 'x_access_conditions'].map(
      (name) => `${columnSeenBy(reader, name)} as ${name}`,
    ),
  ].join(', ')

const longColumns = ['m.message', 'm.encrypted_sym_x_key', 'm.x_access_conditions']

/** Makes the same as a preview: long texts are cut, so that the row stays short. */
export const lastItemPreview = jsonFields(
  jsonMade(lastItem('m.ms', (column) => (longColumns.includes(column) ? previewOf(column) : column))),
  jsonTruncated(isCut(...longColumns)),
  filesInPreview,
)

/** Makes the same from a message that is being sent. */
const newLastItem = (message: NewChatItem, ms: number) => ({
  ...pick(message, ''),
  ...timestampsOf(ms),
})

/** This is the version of lastItem's shape. A copy of another version is not shown. */
export const lastItemVersion = versionOf(lastItem('ms'))

/** Handles a send: stores the message, and brings its conversation up to date. */
export const storeMessage = storing({
  one: 'send_direct_message_v1',
  many: 'send_direct_messages_v1',
  withFiles: 'send_direct_message_with_files_v1',
  texts: columnNames,
  place: 'conversation',
  placeOf: ({ fromaddr, toaddr }: NewChatItem) => placeOf(fromaddr, toaddr),
  copyOf: newLastItem,
  copyVersion: lastItemVersion,
  itemOf: storedChatItem,
  size: 64,
  isDirect: true,
})
