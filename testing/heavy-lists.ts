// For lists that may become long: the heaviest rows that the limits allow, written straight into the database, and
// what asks for them.

import type { Db } from '../server/src/db/pool.ts'
import { chatBucket, walletBucket } from '../server/src/values/bucket.ts'

export interface Heavy {
  /** Stores as much as the limits allow. */
  fill: (db: Db, wallet: string) => Promise<unknown>
  path: (wallet: string) => string
}

/** JSON doubles it. */
const longest = `repeat('"', 65536)`

async function addCommunity(db: Db, owner: string, chat: string) {
  await db.query(
    `insert into group_chats (bucket, chat, nftaddr, context_type) values ($1, $2, $2, 'community')`,
    [chatBucket(chat), chat],
  )
  await db.query(
    `insert into chat_roles (bucket, chat, walletaddr, role, since_ms) values ($1, $2, $3, 'owner', 1)`,
    [chatBucket(chat), chat, owner],
  )
}

export const heavyLists: Record<string, Heavy> = {
  listHeldPosts: {
    async fill(db, wallet) {
      await addCommunity(db, wallet, 'pier')
      await db.query(
        `insert into withheld_posts (bucket, chat, id, fromaddr, message, ms, held)
         select $1::int, 'pier', n * 64 + $1::int, $2, ${longest}, n, true from generate_series(1::bigint, 1000) n`,
        [chatBucket('pier'), '0x'.padEnd(42, 'a')],
      )
    },
    path: () => '/v1/chats/pier/held?limit=1000',
  },
  listDrafts: {
    // More than the limit of bytes allows: there may be such wallets from before it.
    fill: (db, wallet) =>
      db.query(
        `insert into drafts (wbucket, walletaddr, slot, id, toaddr, message, label, created_ms)
         select $1, $2, n, 'draft' || n, $2, ${longest}, '', $3::bigint + n from generate_series(1, 100) n`,
        [walletBucket(wallet), wallet, Date.now() - 1000],
      ),
    path: () => '/v1/drafts',
  },
}
