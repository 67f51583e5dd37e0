// A message in a group chat: its columns, how it is stored, and the JSON of it that lists and inboxes
// show.

import type { GroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import {
  type Fields,
  jsonBlank,
  jsonConstant,
  jsonEither,
  jsonFields,
  jsonMade,
  jsonObject,
  jsonOrBlank,
  jsonText,
  jsonTimestamps,
  jsonTruncated,
} from '../db/json.ts'
import { chatBucket } from '../values/bucket.ts'
import type { Chat } from './chat-key.ts'
import { type Columns, namesOf, timestampsOf, versionOf } from './shape.ts'
import { isCut, jsonNameOf, previewOf } from './shared-sql.ts'
import type { Stored } from './stored.ts'
import { storing } from './storing.ts'

/**
 * What a member gives, each a column of group_messages and a parameter of post_group_messages_v1.
 * The JSON of lists and events, the answer of a post, and the copy for inboxes with its version are
 * made from this list.
 */
const postColumns = { fromaddr: {}, message: {} } satisfies Columns

type NewPost = Record<keyof typeof postColumns, string>

const columnNames = namesOf(postColumns)
const textsOf = (shown = (column: string) => column) =>
  columnNames.map((name) => jsonText(name, shown(`m.${name}`)))

/** Of a message that was removed: by whom. Its text is empty then. */
const removal = jsonEither(
  'm.removed_by is null',
  [''],
  [',"removed":true,"removed_by":"', { sql: 'm.removed_by' }, '"'],
)

/**
 * A row `m` of group_messages as JSON text in the shape of the contract. The row `chat` has the
 * columns of its chat.
 */
export const groupChatItemIn = (chat: string, ...more: Fields[]): string =>
  jsonObject(
    'm.id',
    jsonText('context_type', `${chat}.context_type`),
    jsonConstant('type', 'message'),
    jsonText('nftaddr', `${chat}.nftaddr`),
    ...textsOf(),
    jsonOrBlank('sender_name', jsonNameOf('m.fromaddr')),
    jsonTimestamps('m.ms'),
    removal,
    ...more,
  )

export const groupChatItem = groupChatItemIn('c')

/** Of a row of withheld_posts: whether it waits for a moderator, which its author is told. */
export const isHeld = jsonEither('m.held', [',"held":true'], [''])

/** The same of a preview, which says whether its text was cut. */
export const groupChatPreview = groupChatItemIn('c', jsonTruncated('m.truncated'))

/** What a chat is called from its first message on. */
type StoredChat = Pick<Chat, 'context_type' | 'nftaddr'>

/** What a member gives, in the order of the columns. */
const pick = (post: NewPost) => Object.fromEntries(columnNames.map((name) => [name, post[name]])) as NewPost

/** The same of a message that was just stored. */
const storedGroupChatItem = (
  post: NewPost,
  { id, ms, sender_name, context_type, nftaddr }: Stored & StoredChat,
): GroupChatItem => ({
  id,
  context_type,
  type: 'message',
  nftaddr,
  ...pick(post),
  sender_name,
  ...timestampsOf(ms),
})

/**
 * The part of an inbox's row that comes from a row `m` of a chat, posted at `ms`. `shown` gives what is
 * shown of a column.
 */
export const lastPost = (ms: string, shown?: (column: string) => string): string =>
  jsonFields(...textsOf(shown), jsonBlank('toaddr'), jsonTimestamps(ms), removal)

/** The same as a preview: a long text is cut. */
export const lastPostPreview = jsonFields(
  jsonMade(lastPost('m.ms', (column) => (column === 'm.message' ? previewOf(column) : column))),
  jsonTruncated(isCut('m.message')),
)

/** The same of a message that is being posted. */
const newLastPost = (post: NewPost, ms: number) => ({
  ...pick(post),
  toaddr: '',
  ...timestampsOf(ms),
})

/** The same of a chat without messages. */
export const noPost = jsonFields(...[...columnNames, 'toaddr', 'timestamp', 'timestamp_dtm'].map(jsonBlank))

/** The shape of lastPost. A copy of another version is not shown. */
export const lastPostVersion = versionOf(lastPost('ms'))

/** Handles a post: writes the rows of the chat and of the sender, none for other members. */
export const storePost = storing<Chat & NewPost, GroupChatItem, StoredChat>({
  one: 'post_group_message_v1',
  special: 'post_group_message_v2',
  many: 'post_group_messages_v1',
  texts: ['chat', 'nftaddr', 'context_type', ...columnNames],
  place: 'chat',
  placeOf: ({ chat }) => ({ bucket: chatBucket(chat), place: chat }),
  copyOf: newLastPost,
  copyVersion: lastPostVersion,
  itemOf: storedGroupChatItem,
  size: 128,
})
