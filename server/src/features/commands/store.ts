import { type Command, mostInChat } from '@parley/sdk/contract/commands.ts'
import type { Publishing } from '../../auth/publishing.ts'
import { lockByName } from '../../db/lock.ts'
import type { Db } from '../../db/pool.ts'
import { day } from '../../lib/times.ts'
import { nameOf } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'

type NewCommand = Pick<Command, 'word' | 'description'>

const ofChat = 'k.bucket = $1 and k.chat = $2'
const visits = 'group_visits v on v.bucket = k.bucket and v.chat = k.chat and v.walletaddr = k.walletaddr'

/** Returns the commands of the wallets that are in the chat. */
export const findCommands = (db: Db, chat: string) =>
  db.query<Command>(
    `select k.word, k.description, k.walletaddr, ${nameOf('k.walletaddr')} as name
     from chat_commands k join ${visits} and v.joined where ${ofChat} order by k.word, k.walletaddr`,
    [chatBucket(chat), chat],
  )

export async function hasJoined(db: Db, chat: string, wallet: string): Promise<boolean> {
  const [visit] = await db.query<{ joined: boolean }>(
    'select joined from group_visits where bucket = $1 and chat = $2 and walletaddr = $3',
    [chatBucket(chat), chat, wallet],
  )
  return visit?.joined ?? false
}

/** The commands of a bot that neither sets them again nor reads the chat hold for 30 days, where others need the room. */
const idle = 30 * day

/**
 * Replaces the commands of a wallet in a chat; returns whether there was room. Commands of wallets that have left the chat or may
 * not post in it make room, and where that is not enough those of idle ones.
 */
export const replaceCommands = (
  db: Db,
  _publishing: Publishing,
  { chat, wallet, commands }: { chat: string; wallet: string; commands: NewCommand[] },
  isExcluded: (wallet: string) => boolean,
) =>
  db.transaction(async (tx) => {
    const [now, at] = [tx.now(), [chatBucket(chat), chat]]
    // Two calls at once for one chat wait for each other.
    await lockByName(tx, `commands ${chat}`)
    const bots = await tx.query<{ walletaddr: string; joined: boolean; words: number; active_ms: number }>(
      `select k.walletaddr, coalesce(bool_or(v.joined), false) as joined, count(*)::integer as words,
         greatest(max(k.ms), max(v.entry_ms), 0) as active_ms
       from chat_commands k left join ${visits} where ${ofChat} group by k.walletaddr`,
      at,
    )
    const isGone = (bot: (typeof bots)[number]) =>
      !bot.joined || bot.walletaddr === wallet || isExcluded(bot.walletaddr)
    const hasRoom = (others: typeof bots) =>
      commands.length === 0 || others.reduce((sum, { words }) => sum + words, commands.length) <= mostInChat
    const here = bots.filter((bot) => !isGone(bot))
    const stay = hasRoom(here) ? here : here.filter(({ active_ms }) => active_ms > now - idle)
    if (!hasRoom(stay)) return false
    const gone = bots.filter((bot) => !stay.includes(bot))
    await tx.query(
      'delete from chat_commands k where k.bucket = $1 and k.chat = $2 and k.walletaddr = any($3)',
      [...at, gone.map(({ walletaddr }) => walletaddr)],
    )
    await tx.query(
      `insert into chat_commands (bucket, chat, walletaddr, word, description, ms)
       select l.bucket, $2, $3, c.word, c.description, $5
       from buckets l cross join json_to_recordset($4::json) as c (word text, description text) where l.bucket = $1`,
      [...at, wallet, JSON.stringify(commands), now],
    )
    return true
  })
