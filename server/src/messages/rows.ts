// Rows that belong to a feature and are also exported with an account.

import { instant, nameOf } from './shared-sql.ts'

/**
 * A comment `c` of the thread `t` as JSON text in the shape of the contract; `nftid` is a number
 * with all its digits.
 */
export const commentRow = `
  row_to_json((select item from (select
    c.id, c.fromaddr, c.message, t.nftaddr, t.nftid, ${nameOf('c.fromaddr')} as name, ${instant('c.timestamp')} as timestamp) item))::text`

/** The columns of keys that anyone may read. */
export const publicKeyColumns = `address, public_key, signature, ${instant('updated_at')} as updated_at`

/** All columns of keys, for the wallet itself. */
export const ownKeyColumns = `${publicKeyColumns}, backup`
