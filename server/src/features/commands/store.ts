import { type Command, mostInChat } from '@parley/sdk/contract/commands.ts'
import { lockByName } from '../../db/lock.ts'
import type { Db } from '../../db/pool.ts'
import { nameOf } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'

type NewCommand = Pick<Command, 'word' | 'description'>

const ofChat = 'k.bucket = $1 and k.chat = $2'
const visits = 'group_visits v on v.bucket = k.bucket and v.chat = k.chat and v.walletaddr = k.walletaddr'

/** Those of the wallets that are in the chat. */
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

/**
 * Replaces the commands of a wallet in a chat; answers whether there was room. Those of wallets that have left the chat or are kept
 * out of it make room.
 */
export const replaceCommands = (
  db: Db,
  { chat, wallet, commands }: { chat: string; wallet: string; commands: NewCommand[] },
  isKeptOut: (wallet: string) => boolean,
) =>
  db.transaction(async (tx) => {
    const at = [chatBucket(chat), chat]
    // Two at once for one chat wait for each other.
    await lockByName(tx, `commands ${chat}`)
    const bots = await tx.query<{ walletaddr: string; joined: boolean; words: number }>(
      `select k.walletaddr, coalesce(bool_or(v.joined), false) as joined, count(*)::integer as words
       from chat_commands k left join ${visits} where ${ofChat} group by k.walletaddr`,
      at,
    )
    const gone = bots.filter((bot) => !bot.joined || isKeptOut(bot.walletaddr) || bot.walletaddr === wallet)
    const others = bots.filter((bot) => !gone.includes(bot)).reduce((sum, { words }) => sum + words, 0)
    if (commands.length > 0 && others + commands.length > mostInChat) return false
    await tx.query(
      'delete from chat_commands k where k.bucket = $1 and k.chat = $2 and k.walletaddr = any($3)',
      [...at, gone.map(({ walletaddr }) => walletaddr)],
    )
    await tx.query(
      `insert into chat_commands (bucket, chat, walletaddr, word, description)
       select l.bucket, $2, $3, c.word, c.description
       from buckets l cross join json_to_recordset($4::json) as c (word text, description text) where l.bucket = $1`,
      [...at, wallet, JSON.stringify(commands)],
    )
    return true
  })
