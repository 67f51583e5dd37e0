import { byPages } from '../../db/export-lines.ts'
import { deleteNaming } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'
import { forever, instant } from '../../messages/shared-sql.ts'
import { forgetModeration, passOnChats } from './erase.ts'

const until = (ms: string) =>
  `case when ${ms} = ${forever} then 'forever' when ${ms} > 0 then ${instant(ms)} end`

/** Selects the chats that the wallet moderates. */
const findRoleLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_build_object('chat', chat, 'role', role, 'since', ${instant('since_ms')})::text as item,
       json_build_array(chat) as place
     from chat_roles where walletaddr = $1 and chat > $2 order by chat`,
    [''],
  )

/** Selects the chats of whose team the wallet is. */
const findTeamLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_build_object('chat', chat, 'label', label, 'since', ${instant('since_ms')})::text as item,
       json_build_array(chat) as place
     from chat_team where walletaddr = $1 and chat > $2 order by chat`,
    [''],
  )

/** Selects the chats in which the wallet is or was muted or banned. */
const findRestrictionLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_strip_nulls(json_build_object('chat', chat, 'muted_until', ${until('muted_until_ms')},
       'banned_until', ${until('banned_until_ms')}, 'reason', reason))::text as item, json_build_array(chat) as place
     from chat_restrictions where walletaddr = $1 and chat > $2 order by chat`,
    [''],
  )

/**
 * Selects the wallet's actions as a moderator, and the actions of moderators against it. The export does not name these
 * moderators, and has their reasons only where the wallet reads them too: with its restrictions.
 */
const findChatLogLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_strip_nulls(json_build_object('chat', chat, 'at', ${instant('ms')}, 'action', action,
       'actor', case when actor = $1 then actor end, 'subject', subject, 'post_id', post_id,
       'until', ${until('until_ms')}, 'reason', case when actor = $1 then reason end))::text as item,
       json_build_array(id) as place
     from chat_log where (actor = $1 or subject = $1) and id > $2::bigint
       and (actor = $1 or action not in ('approve_post', 'reject_post')) order by id`,
    [0],
  )

export const tables: Tables = {
  chat_log: {
    exported: { lines: { 'chat-log.jsonl': findChatLogLines } },
    erased: forgetModeration,
    ends: { column: 'ms', days: 365 },
    access: 'what was done',
  },
  chat_restrictions: {
    exported: { lines: { 'chat-restrictions.jsonl': findRestrictionLines } },
    erased: 'with the log; those that count stay',
    stays: 'a mute or ban in a chat that still counts: erasing would end it',
    ends: { column: 'ms', days: 1, row: { muted_until_ms: 0, banned_until_ms: 0 } },
    access: 'takes away',
  },
  chat_roles: {
    exported: { lines: { 'chat-roles.jsonl': findRoleLines } },
    erased: passOnChats,
    ends: 'erasure',
    access: 'of other wallets; giving one takes a recent sign-in',
  },
  chat_team: {
    exported: { lines: { 'chat-teams.jsonl': findTeamLines } },
    erased: deleteNaming('chat_team'),
    ends: 'erasure',
    access: 'a word of the owner of a chat',
  },
  chat_rules: ofNoWallet('bound', 'of a chat'),
  chat_gates: {
    exported:
      'a wallet of a list reads that it is on it by getGate; the list is the word of the owner of the chat',
    erased: 'a list of the owner of a chat stays as the owner wrote it',
    stays: 'the address on a list of the owner of a chat, who gets in by it',
    ends: 'bound',
    access: 'a rule of the owner of a chat, who must be signed in',
  },
}
