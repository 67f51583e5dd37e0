/** A row `m` of direct_messages as JSON text in the shape of the contract; a field that was not sent is left out. */
export const chatItem = `
  json_strip_nulls(row_to_json((select item from (select
    m.id, m.fromaddr, m.toaddr, m.message, m.nftaddr, m.nftid, m.encrypted_sym_x_key, m.x_access_conditions, m.read,
    '' as sender_name,
    to_char(m.timestamp at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as timestamp,
    to_char(m.timestamp at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as timestamp_dtm) item)))::text`
