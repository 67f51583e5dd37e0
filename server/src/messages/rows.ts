// Rows that belong to a feature and are also exported with an account.

import { jsonMade, jsonObject, jsonText } from '../db/json.ts'
import { instant, nameOf } from './shared-sql.ts'

/**
 * A comment `c` of a thread by somebody of this name as JSON text in the shape of the contract;
 * `nftid` is a number with all its digits. The row `thread` has the columns of the thread.
 */
export const commentItem = (name: string, thread = 't', c = 'c'): string =>
  jsonObject(
    `${c}.id`,
    jsonText('fromaddr', `${c}.fromaddr`),
    jsonText('message', `${c}.message`),
    jsonText('nftaddr', `${thread}.nftaddr`),
    jsonMade(`',"nftid":' || ${thread}.nftid::text`),
    jsonText('name', name),
    jsonText('timestamp', instant(`${c}.ms`)),
  )

/** The same with the name that the author has now. */
export const commentRow = commentItem(nameOf('c.fromaddr'))

/** The columns of keys that anyone may read. */
export const publicKeyColumns = `address, public_key, signature, ${instant('updated_ms')} as updated_at`

/** All columns of keys, for the wallet itself. */
export const ownKeyColumns = `${publicKeyColumns}, backup`

/** A draft as its wallet is shown it; `id` is the column that names it. */
export const draftJson = (row: string, id = 'id') =>
  `json_strip_nulls(json_build_object('id', ${row}.${id}, 'toaddr', ${row}.toaddr, 'nftaddr', ${row}.nftaddr,
    'message', ${row}.message, 'label', ${row}.label, 'created_at', ${instant(`${row}.created_ms`)}))`
const lastUsed = `to_char(date '1970-01-01' + last_used_day, 'YYYY-MM-DD') as last_used`

/** What a wallet is shown of its incoming hooks. */
export const hookColumns = `id, label, nftaddr, ${instant('created_ms')} as created_at, ${lastUsed}`

/** What a wallet is shown of its API keys; null where there is nothing. */
export const apiKeyColumns = `id, label, scopes, ${instant('created_ms')} as created_at,
  ${lastUsed}, ${instant('expires_ms')} as expires_at`
