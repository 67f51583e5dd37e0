// This module stores the Telegram chat of a wallet, the codes by which chats are linked, and when a chat accepts its next
// message.

import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { day, minute } from '../../lib/times.ts'
import type { GrantTx } from '../../messages/add-grant.ts'

const codeLifetime = 10 * minute

const hashOf = (code: string) => createHash('sha256').update(code).digest()

/** Makes the one code of a wallet, of 192 random bits in characters that Telegram allows in a link. */
export async function makeCode(
  tx: GrantTx<'telegram'>,
  wallet: string,
): Promise<{ code: string; expires: number }> {
  const code = randomBytes(24).toString('base64url')
  const expires = tx.now() + codeLifetime
  await tx.query(
    `insert into telegram_codes (walletaddr, code_hash, expires_ms) values ($1, $2, $3)
     on conflict (walletaddr) do update set code_hash = excluded.code_hash, expires_ms = excluded.expires_ms`,
    [wallet, hashOf(code), expires],
  )
  return { code, expires }
}

/** Returns the wallet whose code this is. */
export async function ownerOfCode(tx: Db, code: string): Promise<string | undefined> {
  const [row] = await tx.query<{ walletaddr: string }>(
    'select walletaddr from telegram_codes where code_hash = $1',
    [hashOf(code)],
  )
  return row?.walletaddr
}

/** Uses up a code; returns its wallet, where it was still valid. */
export async function takeCode(tx: Db, code: string): Promise<string | undefined> {
  const [row] = await tx.query<{ walletaddr: string; expires_ms: number }>(
    'delete from telegram_codes where code_hash = $1 returning walletaddr, expires_ms',
    [hashOf(code)],
  )
  return row && row.expires_ms > tx.now() ? row.walletaddr : undefined
}

const forgetCode = (tx: Db, wallet: string) =>
  tx.query('delete from telegram_codes where walletaddr = $1', [wallet])

export interface Link {
  chat_id: number
  name: string
  since_ms: number
}

export async function getLink(db: Db, wallet: string): Promise<Link | undefined> {
  const [link] = await db.query<Link>(
    `select chat_id, name, since_ms from telegram_links where ${ofWallet}`,
    keyOf(wallet),
  )
  return link
}

/** Links a chat in place of the one that is linked. */
export const link = (tx: GrantTx<'telegram'>, wallet: string, chatId: number, name: string) =>
  tx.query(
    `insert into telegram_links (wbucket, walletaddr, chat_id, name, since_ms) values ($1, $2, $3, $4, $5)
     on conflict (wbucket, walletaddr) do update
     set chat_id = excluded.chat_id, name = excluded.name, since_ms = excluded.since_ms`,
    keyOf(wallet, chatId, name, tx.now()),
  )

export const unlink = (db: Db, wallet: string) =>
  db.transaction(async (tx) => {
    await tx.query(`delete from telegram_links where ${ofWallet}`, keyOf(wallet))
    await forgetCode(tx, wallet)
  })

/** Ends all links of a chat. */
export const unlinkChat = (db: Db, chatId: number) =>
  db.query('delete from telegram_links where chat_id = $1', [chatId])

/** This id stands for all chats in `telegram_pace`. */
const everybody = 0

/** Returns when a chat accepts its next message; 0 for now. */
export async function nextTurn(db: Db, chatId: number): Promise<number> {
  const [row] = await db.query<{ next: number | null }>(
    'select max(next_ms) as next from telegram_pace where chat_id in ($1, $2)',
    [everybody, chatId],
  )
  return row?.next && row.next > db.now() ? row.next : 0
}

/** Sets that no chat accepts a message before this time. */
export const pauseAll = (db: Db, until: number) => pauseChat(db, everybody, until)

/** Sets that a chat accepts no message before this time. */
export const pauseChat = (db: Db, chatId: number, next: number) =>
  db.query(
    `insert into telegram_pace (chat_id, next_ms) values ($1, $2)
     on conflict (chat_id) do update set next_ms = greatest(telegram_pace.next_ms, excluded.next_ms)`,
    [chatId, next],
  )

/** The position up to which a bot has read its updates. */
interface Progress {
  next_update: number
  seen_ms: number
}

/**
 * Telegram stores an update for a day, and after a week without one it counts on from any number. So progress that is older than
 * two days no longer means anything.
 */
const progressLifetime = 2 * day

const nextOf = (db: Db, progress: Progress | undefined) =>
  progress && progress.seen_ms > db.now() - progressLifetime ? progress.next_update : undefined

/** Returns the first update that is not done; undefined when that is not known. */
export async function getNextUpdate(db: Db, botId: number): Promise<number | undefined> {
  const [progress] = await db.query<Progress>(
    'select next_update, seen_ms from telegram_bots where bot_id = $1',
    [botId],
  )
  return nextOf(db, progress)
}

/** Does what an update requests, and notes that; once, however often Telegram sends it. */
export const doOnce = (db: Db, botId: number, updateId: number, work: (tx: Db) => Promise<unknown>) =>
  db.transaction(async (tx) => {
    const [progress] = await tx.query<Progress>(
      `insert into telegram_bots (bot_id, next_update, seen_ms) values ($1, 0, 0)
       on conflict (bot_id) do update set bot_id = excluded.bot_id returning next_update, seen_ms`,
      [botId],
    )
    if (updateId < (nextOf(tx, progress) ?? updateId)) return
    await work(tx)
    await tx.query('update telegram_bots set next_update = $2, seen_ms = $3 where bot_id = $1', [
      botId,
      updateId + 1,
      tx.now(),
    ])
  })

export const deleteOldCodes = (db: Db) =>
  db.query('delete from telegram_codes where expires_ms < $1', [db.now()])

export const deleteOldPace = (db: Db) => db.query('delete from telegram_pace where next_ms < $1', [db.now()])
