import { commands } from '@parley/sdk/contract/commands.ts'
import { byPages } from '../../db/export-lines.ts'
import { deleteNaming } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

/** Selects the commands that the wallet has as a bot. */
const findLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_build_object('chat', chat, 'word', word, 'description', description)::text as item,
       json_build_array(chat, word) as place
     from chat_commands where walletaddr = $1 and (chat, word) > ($2, $3) order by chat, word`,
    ['', ''],
  )

export const commandsFeature = feature({
  endpoints: [endpoints('Group chats', commands, handlers)],
  tables: {
    chat_commands: {
      exported: { lines: { 'chat-commands.jsonl': findLines } },
      erased: deleteNaming('chat_commands'),
      ends: 'erasure',
      access: 'words; webhooks deliver what comes of them',
    },
  },
})
