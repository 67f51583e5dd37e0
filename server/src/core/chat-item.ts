import { nameOf } from '../db/fragments.ts'
import { jsonObject, jsonOptional, jsonText, jsonTimestamps, jsonValue } from '../db/json.ts'

/** A row `m` of direct_messages as JSON text in the shape of the contract; a field that was not sent is left out. */
export const chatItem = jsonObject(
  'm.id',
  jsonText('fromaddr', 'm.fromaddr'),
  jsonText('toaddr', 'm.toaddr'),
  jsonText('message', 'm.message'),
  jsonOptional('nftaddr', 'm.nftaddr'),
  jsonOptional('nftid', 'm.nftid'),
  jsonOptional('encrypted_sym_x_key', 'm.encrypted_sym_x_key'),
  jsonOptional('x_access_conditions', 'm.x_access_conditions'),
  jsonValue('read', 'm.read'),
  jsonText('sender_name', nameOf('m.fromaddr')),
  jsonTimestamps('m.timestamp'),
)
