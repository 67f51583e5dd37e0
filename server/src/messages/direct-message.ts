import { jsonNameOf } from './shared-sql.ts'
import {
  jsonBoolean,
  jsonObject,
  jsonParts,
  jsonSeldom,
  jsonText,
  jsonOrEmpty,
  jsonTimestamps,
} from '../db/json.ts'

/** What most messages `m` have none of: the NFT they are about, and how they are encrypted. */
const contextFields = {
  nftaddr: 'm.nftaddr',
  nftid: 'm.nftid',
  encrypted_sym_x_key: 'm.encrypted_sym_x_key',
  x_access_conditions: 'm.x_access_conditions',
}

/** What an inbox shows of a message `m`, sent at `time`, that never changes; a field that was not sent is empty. */
export const lastItem = (time: string) =>
  jsonParts(
    jsonText('fromaddr', 'm.fromaddr'),
    jsonText('toaddr', 'm.toaddr'),
    jsonText('message', 'm.message'),
    jsonSeldom(contextFields, 'empty'),
    jsonTimestamps(time),
  )

/** A row `m` of direct_messages as JSON text in the shape of the contract; a field that was not sent is left out. */
export const chatItem = jsonObject(
  'm.id',
  jsonText('fromaddr', 'm.fromaddr'),
  jsonText('toaddr', 'm.toaddr'),
  jsonText('message', 'm.message'),
  jsonSeldom(contextFields, 'left out'),
  jsonBoolean('read', 'm.read'),
  jsonOrEmpty('sender_name', jsonNameOf('m.fromaddr')),
  jsonTimestamps('m.timestamp'),
)

/** How many bytes the copy of a message may have: with more of them a row would no longer fit with others on a page. */
const longestCopy = 1000

/** What is kept of a last message in the row of its conversation or chat: null when it is long. */
export const copyOf = (item: string) => `case when octet_length(${item}) <= ${longestCopy} then ${item} end`
