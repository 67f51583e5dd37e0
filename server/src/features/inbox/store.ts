import type { InboxItem } from '@parley/sdk/contract/inbox.ts'
import type { JsonList } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import type { View } from '../../messages/shared-sql.ts'

interface InboxQuery {
  limit?: number
  /** The id of a row's message: the page has only rows after it. */
  before?: number
  /** The page has only these rows, and the wallet's stance to each. */
  view?: View
}

/**
 * Returns the inbox of a wallet, newest first: one row for each conversation that has a message, and each chat it has joined. A
 * closed chat, which it may not read, shows nothing but the bookmark.
 */
export const findInbox = (
  db: Db,
  wallet: string,
  closed: string[] = [],
  { view, ...page }: InboxQuery = {},
): Promise<JsonList<InboxItem>> => db.layout.inbox.find(db, { wallet, closed, view, now: db.now() }, page)
