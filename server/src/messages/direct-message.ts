// A direct message: its columns, and the JSON of it that lists and inboxes show.

import type { NewChatItem } from '@parley/sdk/contract/direct-messages.ts'
import {
  jsonBoolean,
  jsonFields,
  jsonObject,
  jsonOptional,
  jsonOrBlank,
  jsonText,
  jsonTimestamps,
} from '../db/json.ts'
import { jsonNameOf } from './shared-sql.ts'
import { type Columns, namesOf, versionOf } from './storing.ts'

/**
 * What a sender gives, each a column of direct_messages. Inserts, the JSON of lists and events,
 * the answer of a send, and the copy for inboxes with its version are made from this list.
 */
export const messageColumns = {
  fromaddr: { collate: 'C' },
  toaddr: { collate: 'C' },
  message: {},
  nftaddr: { optional: true },
  nftid: { optional: true },
  encrypted_sym_x_key: { optional: true },
  x_access_conditions: { optional: true },
} as const satisfies Columns<keyof NewChatItem>

const columns: Columns<keyof NewChatItem> = messageColumns
const required = namesOf(columns).filter((name) => !columns[name].optional)
export const optionalColumns = namesOf(columns).filter((name) => columns[name].optional)

/**
 * A row `m` of direct_messages as JSON text in the shape of the contract; what is null is omitted.
 */
export const chatItem = jsonObject(
  'm.id',
  ...required.map((name) => jsonText(name, `m.${name}`)),
  jsonOptional(optionalColumns, 'm', 'omitted'),
  jsonBoolean('read', 'm.read'),
  jsonOrBlank('sender_name', jsonNameOf('m.fromaddr')),
  jsonTimestamps('m.timestamp'),
)

/**
 * The part of an inbox's row that comes from a message `m`, sent at `time`, and never changes;
 * what is null is empty.
 */
export const lastItem = (time: string): string =>
  jsonFields(
    ...required.map((name) => jsonText(name, `m.${name}`)),
    jsonOptional(optionalColumns, 'm', 'blank'),
    jsonTimestamps(time),
  )

/** The shape of lastItem. A copy of another version is not shown. */
export const lastItemVersion = versionOf(lastItem('time'))
