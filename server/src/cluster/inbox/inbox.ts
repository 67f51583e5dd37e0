// This interface reads inboxes, on one machine or on a cluster.

import type { InboxItem } from '@parley/sdk/contract/inbox.ts'
import type { JsonList } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import type { View } from '../../messages/shared-sql.ts'

/** Says which wallet's inbox, and which part of it. */
export interface Of {
  wallet: string
  /** These are keys of chats that are closed to the wallet. */
  closed: string[]
  view: View | undefined
  now: number
}

export interface InboxPage {
  limit?: number
  /** Only rows after this id of a row's message are read. */
  before?: number
}

export interface Inbox {
  /**
   * This is SQL of the conversations of the wallet $1 with the bucket $2, without those that it has blocked: at least `peer`,
   * `state` and `unread` of each.
   */
  readonly conversations: string
  readonly find: (db: Db, of: Of, page: InboxPage) => Promise<JsonList<InboxItem>>
  /** Counts unread messages of a kind, or all, without those of closed chats. */
  readonly countUnread: (db: Db, wallet: string, type: string, closed: string[]) => Promise<number>
  /** Counts unread messages in a part of an inbox. */
  readonly countUnreadIn: (db: Db, wallet: string, view: View, closed: string[]) => Promise<number>
}
