import { jsonConstant, jsonObject, jsonOrEmpty, jsonParts, jsonText, jsonTimestamps } from '../db/json.ts'
import { jsonNameOf } from './shared-sql.ts'

/** A row `m` of group_messages in chat `c` as JSON text in the shape of the contract. */
export const groupChatItem = jsonObject(
  'm.id',
  jsonText('context_type', 'c.context_type'),
  jsonConstant('type', 'message'),
  jsonText('nftaddr', 'c.nftaddr'),
  jsonText('fromaddr', 'm.fromaddr'),
  jsonText('message', 'm.message'),
  jsonOrEmpty('sender_name', jsonNameOf('m.fromaddr')),
  jsonTimestamps('m.timestamp'),
)

/** What an inbox shows of a message `m` of a chat, posted at `time`. */
export const lastPost = (time: string) =>
  jsonParts(
    jsonText('fromaddr', 'm.fromaddr'),
    jsonConstant('toaddr', ''),
    jsonText('message', 'm.message'),
    jsonTimestamps(time),
  )

/** The same of a chat without messages. */
export const noPost = jsonParts(
  ...['fromaddr', 'toaddr', 'message', 'timestamp', 'timestamp_dtm'].map((name) => jsonConstant(name, '')),
)
