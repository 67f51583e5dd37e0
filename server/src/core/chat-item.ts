import { nameIfAny } from '../db/fragments.ts'
import { jsonObject, jsonSeldom, jsonText, jsonTextOrEmpty, jsonTimestamps, jsonValue } from '../db/json.ts'

/** What most messages `m` have none of: the NFT they are about, and how they are encrypted. */
export const contextFields = {
  nftaddr: 'm.nftaddr',
  nftid: 'm.nftid',
  encrypted_sym_x_key: 'm.encrypted_sym_x_key',
  x_access_conditions: 'm.x_access_conditions',
}

/** A row `m` of direct_messages as JSON text in the shape of the contract; a field that was not sent is left out. */
export const chatItem = jsonObject(
  'm.id',
  jsonText('fromaddr', 'm.fromaddr'),
  jsonText('toaddr', 'm.toaddr'),
  jsonText('message', 'm.message'),
  jsonSeldom(contextFields, 'left out'),
  jsonValue('read', 'm.read'),
  jsonTextOrEmpty('sender_name', nameIfAny('m.fromaddr')),
  jsonTimestamps('m.timestamp'),
)
