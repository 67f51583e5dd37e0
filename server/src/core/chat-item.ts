import { instant, nameOf } from '../db/fragments.ts'

/** A row `m` of direct_messages as JSON text in the shape of the contract; a field that was not sent is left out. */
export const chatItem = `
  json_strip_nulls(row_to_json((select item from (select
    m.id, m.fromaddr, m.toaddr, m.message, m.nftaddr, m.nftid, m.encrypted_sym_x_key, m.x_access_conditions, m.read,
    ${nameOf('m.fromaddr')} as sender_name,
    ${instant('m.timestamp')} as timestamp,
    ${instant('m.timestamp')} as timestamp_dtm) item)))::text`
