import type { Db } from '../../db/pool.ts'
import { forever, instant } from '../../messages/shared-sql.ts'
import { byPages } from './store.ts'

const until = (ms: string) =>
  `case when ${ms} = ${forever} then 'forever' when ${ms} > 0 then ${instant(ms)} end`

/** The chats that the wallet moderates. */
export const findRoleLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_build_object('chat', chat, 'role', role, 'since', ${instant('since_ms')})::text as item,
       json_build_array(chat) as place
     from chat_roles where walletaddr = $1 and chat > $2 order by chat`,
    [''],
  )

/** The words that the wallet answers to as a bot. */
export const findCommandLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_build_object('chat', chat, 'word', word, 'description', description)::text as item,
       json_build_array(chat, word) as place
     from chat_commands where walletaddr = $1 and (chat, word) > ($2, $3) order by chat, word`,
    ['', ''],
  )

/** Where the wallet is or was muted or banned. */
export const findRestrictionLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_strip_nulls(json_build_object('chat', chat, 'muted_until', ${until('muted_until_ms')},
       'banned_until', ${until('banned_until_ms')}, 'reason', reason))::text as item, json_build_array(chat) as place
     from chat_restrictions where walletaddr = $1 and chat > $2 order by chat`,
    [''],
  )

/** What the wallet did as a moderator, and what moderators did with it. These do not learn who they are. */
export const findChatLogLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_strip_nulls(json_build_object('chat', chat, 'at', ${instant('ms')}, 'action', action,
       'actor', case when actor = $1 then actor end, 'subject', subject, 'post_id', post_id,
       'until', ${until('until_ms')}, 'reason', reason))::text as item, json_build_array(id) as place
     from chat_log where (actor = $1 or subject = $1) and id > $2::bigint
       and (actor = $1 or action not in ('approve_post', 'reject_post')) order by id`,
    [0],
  )
