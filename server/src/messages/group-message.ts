// This file describes a message in a group chat: its columns, how it is stored, and its JSON in lists and inboxes.

import type { GroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import {
  type Fields,
  jsonBlank,
  jsonConstant,
  jsonEither,
  jsonFields,
  jsonIfAny,
  jsonMade,
  jsonNumberIfAny,
  jsonObject,
  jsonOrBlank,
  jsonText,
  jsonTimestamps,
  jsonTruncated,
} from '../db/json.ts'
import { chatBucket } from '../values/bucket.ts'
import type { Chat } from './chat-key.ts'
import {
  type Columns,
  filesInPreview,
  filesOf,
  namesOf,
  replyOf,
  timestampsOf,
  versionOf,
} from './columns.ts'
import { importedMark } from './imported.ts'
import { asAllSee, asSeenBy, type ColumnOf, inRow } from './versions.ts'
import { isCut, jsonNameOf, previewOf } from './shared-sql.ts'
import type { Stored } from './message-types.ts'
import { storing } from './store-messages.ts'

/**
 * A member gives these values, each a column of group_messages and a parameter of post_group_messages_v1. The JSON of lists and
 * events, the response of a post, and the copy for inboxes with its version are made from this list.
 */
const postColumns = { fromaddr: {}, message: {} } satisfies Columns

interface NewPost extends Record<keyof typeof postColumns, string> {
  reply_to?: number | undefined
  files?: string[] | undefined
}

const columnNames = namesOf(postColumns)
const textsOf = (shown = (column: string) => column) =>
  columnNames.map((name) => jsonText(name, shown(`m.${name}`)))

/** This is for a removed message: it says who has removed it. The text is empty then. */
const removal = jsonEither(
  'm.removed_by is null',
  [''],
  [',"removed":true,"removed_by":"', { sql: 'm.removed_by' }, '"'],
)

/** Makes the fields that an edit may change: `of` names the columns of a version. */
const versionOfColumns = (of: ColumnOf): Fields => jsonText('message', of('message'))

/** Only a row with marks has these fields. */
const special: Fields = [
  ...jsonNumberIfAny('reply_to', 'm.reply_to'),
  ...jsonIfAny('files', 'm.files'),
  ...jsonIfAny('announced', `case when m.marks & 128 <> 0 then 'true' end`),
  ...jsonIfAny('imported', `case when m.marks & ${importedMark} <> 0 then 'true' end`),
]

const groupChatItemWith = (chat: string, version: Fields, ...more: Fields[]): string =>
  jsonObject(
    'm.id',
    jsonText('context_type', `${chat}.context_type`),
    jsonConstant('type', 'message'),
    jsonText('nftaddr', `${chat}.nftaddr`),
    jsonText('fromaddr', 'm.fromaddr'),
    version,
    jsonOrBlank('sender_name', jsonNameOf('m.fromaddr')),
    jsonTimestamps('m.ms'),
    removal,
    ...more,
  )

/** Makes a row `m` of group_messages into JSON text in the shape of the contract. The row `chat` has the columns of its chat. */
export const groupChatItemIn = (chat: string, ...more: Fields[]): string =>
  groupChatItemWith(chat, asAllSee(versionOfColumns), special, ...more)

/** Does the same as the wallet `reader` sees it. */
export const groupChatItemSeenBy = (reader: string, chat: string, ...more: Fields[]): string =>
  groupChatItemWith(chat, asSeenBy(reader, versionOfColumns), special, ...more)

export const groupChatItem = groupChatItemIn('c')

/** Does the same for a row whose `marks` are 0. */
export const groupChatItemPlain = (chat: string, ...more: Fields[]): string =>
  groupChatItemWith(chat, versionOfColumns(inRow), ...more)

/** This is for a row of withheld_posts: it says whether the post waits for a moderator, which its author sees. */
export const isHeld = jsonEither('m.held', [',"held":true'], [''])

/** Makes the same as a preview, which says whether its text was cut. */
export const groupChatPreview = groupChatItemPlain('c', jsonTruncated('m.truncated'))

/** The first message of a chat sets how people see its key. */
type StoredChat = Pick<Chat, 'context_type' | 'nftaddr'>

/** Returns the values of a member in the order of the columns. */
const pick = (post: NewPost) =>
  Object.fromEntries(columnNames.map((name) => [name, post[name]])) as Record<
    keyof typeof postColumns,
    string
  >

/** Makes the same JSON from a message that was just stored. */
const storedGroupChatItem = (
  post: NewPost,
  { id, ms, sender_name, context_type, nftaddr, files }: Stored & StoredChat,
): GroupChatItem => ({
  id,
  context_type,
  type: 'message',
  nftaddr,
  ...pick(post),
  ...replyOf(post),
  ...filesOf({ files }),
  sender_name,
  ...timestampsOf(ms),
})

/**
 * Makes the part of an inbox row that comes from a row `m` of a chat, posted at `ms`. `shown` gives what is shown of a column.
 */
export const lastPost = (ms: string, shown?: (column: string) => string): string =>
  jsonFields(...textsOf(shown), jsonBlank('toaddr'), jsonTimestamps(ms), removal)

/** Makes the same as a preview: a long text is cut. */
export const lastPostPreview = jsonFields(
  jsonMade(lastPost('m.ms', (column) => (column === 'm.message' ? previewOf(column) : column))),
  jsonTruncated(isCut('m.message')),
  filesInPreview,
)

/** Makes the same from a message that is being posted. */
const newLastPost = (post: NewPost, ms: number) => ({
  ...pick(post),
  toaddr: '',
  ...timestampsOf(ms),
})

/** Makes the same for a chat without messages. */
export const noPost = jsonFields(...[...columnNames, 'toaddr', 'timestamp', 'timestamp_dtm'].map(jsonBlank))

/** This is the version of lastPost's shape. A copy of another version is not shown. */
export const lastPostVersion = versionOf(lastPost('ms'))

/** Handles a post: writes the rows of the chat and of the sender, none for other members. */
export const storePost = storing<Chat & NewPost, GroupChatItem, StoredChat>({
  one: 'post_group_message_v1',
  many: 'post_group_messages_v1',
  withFiles: 'post_group_message_with_files_v1',
  texts: ['chat', 'nftaddr', 'context_type', ...columnNames],
  place: 'chat',
  placeOf: ({ chat }) => ({ bucket: chatBucket(chat), place: chat }),
  copyOf: newLastPost,
  copyVersion: lastPostVersion,
  itemOf: storedGroupChatItem,
  size: 128,
})
