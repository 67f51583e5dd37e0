// Stores claims of imported people, and the codes for them. Of two wallets with one code exactly one gets the person, because the row
// of the code is locked.

import { createHash, randomInt } from 'node:crypto'
import { mostClaims } from '@parley/sdk/contract/moving.ts'
import { keyOf } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import { drawEvents } from '../../messages/events.ts'
import type { Queries } from '../../messages/operator-log.ts'

/** These are the letters and digits that nobody mistakes for others. */
const letters = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const groups = 5

/** Makes a code of 98 random bits. */
export const newCode = (): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join(''),
  ).join('-')

/** Returns what is stored of a code, however it was typed. */
const hashOf = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toUpperCase().replaceAll(/[^0-9A-Z]/g, ''))
    .digest()

/** Stores the code for an imported person; an earlier one is no longer valid. */
export const storeCode = (
  db: Queries,
  { address, code, expires }: { address: string; code: string; expires: number },
) =>
  db.query(
    `insert into claim_codes (code_hash, address, expires_ms) values ($1, $2, $3)
     on conflict (address) do update set
       code_hash = excluded.code_hash, expires_ms = excluded.expires_ms, used_by = null`,
    [hashOf(code), address, expires],
  )

type Tx = Queries & Pick<Db, 'now'>

/** The members of this number of chats get an event about a claim: those in which the person has most messages. */
const mostChats = 100

/**
 * Draws the events about a claim: one for the wallet, and for the members of each chat that has messages of the person. Of a wallet
 * that is muted unseen nobody else gets one.
 */
async function drawClaimed(tx: Tx, address: string, { wallet, isUnseen }: Omit<Claiming, 'code'>) {
  const chats = isUnseen
    ? []
    : await tx.query<{ chat: string; nftaddr: string }>(
        `select v.chat, c.nftaddr from group_visits v join group_chats c on c.bucket = v.bucket and c.chat = v.chat
         where v.walletaddr = $1 and v.posted > 0 order by v.posted desc, v.chat limit ${mostChats}`,
        [address],
      )
  return drawEvents(tx, [
    { wallet, event: { type: 'imported', address } },
    ...chats.map(({ chat, nftaddr }) => ({ chat, event: { type: 'imported', address, nftaddr } as const })),
  ])
}

interface Claiming {
  code: string
  wallet: string
  isUnseen: boolean
}

/** Takes an imported person over. Returns the address of the person, or why it was refused. */
export const claim = (
  db: Db,
  { code, wallet, isUnseen }: Claiming,
): Promise<{ address: string } | 'wrong' | 'taken' | 'number'> =>
  db.transaction(async (tx) => {
    const hash = hashOf(code)
    const find = async (lock = '') => {
      const [row] = await tx.query<{ address: string; used_by: string | null }>(
        `select address, used_by from claim_codes
         where code_hash = $1 and expires_ms > $2 and (used_by is null or used_by = $3) ${lock}`,
        [hash, tx.now(), wallet],
      )
      return row
    }
    const known = await find()
    if (!known) return 'wrong'
    const { address } = known
    const { announce } = await drawClaimed(tx, address, { wallet, isUnseen })
    const found = await find('for update')
    if (!found) return 'wrong'
    if (found.used_by === wallet) return { address }
    const own = await tx.query('select 1 as one from imported_claims where walletaddr = $1', [wallet])
    if (own.length >= mostClaims) return 'number'
    const stored = await tx.query(
      `insert into imported_claims as c (address, walletaddr, since_ms, unseen) values ($1, $2, $3, $4)
       on conflict (address) do update set
         walletaddr = excluded.walletaddr, since_ms = excluded.since_ms, unseen = excluded.unseen
       where c.walletaddr is null or c.walletaddr = excluded.walletaddr
       returning 1 as one`,
      [address, wallet, tx.now(), isUnseen],
    )
    if (stored.length === 0) return 'taken'
    await tx.query('update claim_codes set used_by = $2 where code_hash = $1', [hash, wallet])
    await announce()
    return { address }
  })

/** Ends the claim of a wallet, or of any wallet, and its code. Returns the wallet that had it. */
export async function release(tx: Tx, address: string, wallet?: string): Promise<string | undefined> {
  const [known] = await tx.query<{ walletaddr: string; unseen: boolean }>(
    'select walletaddr, unseen from imported_claims where address = $1 and walletaddr = coalesce($2, walletaddr)',
    [address, wallet ?? null],
  )
  const claimed = known && { wallet: known.walletaddr, isUnseen: known.unseen }
  const events = claimed && (await drawClaimed(tx, address, claimed))
  const gone = await tx.query(
    'delete from imported_claims where address = $1 and walletaddr = $2 returning 1 as one',
    [address, claimed?.wallet ?? null],
  )
  const isGone = gone.length > 0
  if (isGone || wallet === undefined) await tx.query('delete from claim_codes where address = $1', [address])
  if (isGone) await events?.announce()
  return isGone ? claimed?.wallet : undefined
}

/** Returns the wallet that has taken an imported person over. */
export async function walletOf(db: Queries, address: string): Promise<string | undefined> {
  const [row] = await db.query<{ walletaddr: string | null }>(
    'select walletaddr from imported_claims where address = $1',
    [address],
  )
  return row?.walletaddr ?? undefined
}

/** Returns whether somebody was imported: each has a row with how many messages they have in a chat. */
export async function isImported(db: Queries, address: string): Promise<boolean> {
  const rows = await db.query(
    'select 1 as one from group_visits where walletaddr = $1 and posted > 0 limit 1',
    [address],
  )
  return rows.length > 0
}

/** Takes the names of the people away that a wallet was. Their messages stay under the bare address, as its own do. */
export async function forgetClaims(tx: Db, wallet: string): Promise<void> {
  const own = await tx.query<{ address: string }>(
    'update imported_claims set walletaddr = null, since_ms = $2 where walletaddr = $1 returning address',
    [wallet, tx.now()],
  )
  for (const { address } of own) await tx.query('select delete_profile_v1($1, $2) as deleted', keyOf(address))
  await tx.query('delete from claim_codes where used_by = $1', [wallet])
}

export const deleteExpiredCodes = (db: Db) =>
  db.query('delete from claim_codes where expires_ms < $1', [db.now()])
