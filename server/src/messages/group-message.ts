// A message in a group chat: its columns, and the JSON of it that lists and inboxes show.

import {
  jsonBlank,
  jsonConstant,
  jsonFields,
  jsonObject,
  jsonOrBlank,
  jsonText,
  jsonTimestamps,
} from '../db/json.ts'
import { jsonNameOf } from './shared-sql.ts'
import { type Columns, namesOf, versionOf } from './storing.ts'

/**
 * What a member gives, each a column of group_messages. Inserts, the JSON of lists and events, the
 * answer of a post, and the copy for inboxes with its version are made from this list.
 */
export const postColumns = {
  fromaddr: { collate: 'C' },
  message: {},
} as const satisfies Columns

const texts = namesOf(postColumns).map((name) => jsonText(name, `m.${name}`))

/** A row `m` of group_messages in chat `c` as JSON text in the shape of the contract. */
export const groupChatItem = jsonObject(
  'm.id',
  jsonText('context_type', 'c.context_type'),
  jsonConstant('type', 'message'),
  jsonText('nftaddr', 'c.nftaddr'),
  ...texts,
  jsonOrBlank('sender_name', jsonNameOf('m.fromaddr')),
  jsonTimestamps('m.timestamp'),
)

/** The part of an inbox's row that comes from a message `m` of a chat, posted at `time`. */
export const lastPost = (time: string): string =>
  jsonFields(...texts, jsonBlank('toaddr'), jsonTimestamps(time))

/** The same of a chat without messages. */
export const noPost = jsonFields(
  ...[...namesOf(postColumns), 'toaddr', 'timestamp', 'timestamp_dtm'].map(jsonBlank),
)

/** The shape of lastPost. A copy of another version is not shown. */
export const lastPostVersion = versionOf(lastPost('time'))
