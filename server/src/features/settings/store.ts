import type { Settings, SettingsUpdate } from '@parley/sdk/contract/settings.ts'
import type { Db } from '../../db/pool.ts'

/** The state that decides whether a mail must be sent. */
export interface EmailState {
  email: string | null
  verified: boolean
  /** Whether a code was mailed that is still valid. */
  pending: boolean
}

export interface Verification {
  id: string
  hash: Buffer
}

// A row in the shape of the contract: fields that were never set are left out, flags are strings.
const item = `json_strip_nulls(json_build_object('id', id, 'walletaddr', walletaddr, 'domain', domain, 'email', email,
  'notify24', notify24::text, 'notifydm', notifydm::text, 'signupsite', signupsite, 'verified', verified::text)) as item`

interface Found {
  item: Settings
}

export async function findSettings(db: Db, walletaddr: string): Promise<Settings[]> {
  const rows = await db.query<Found>(`select ${item} from settings where walletaddr = $1`, [walletaddr])
  return rows.map((row) => row.item)
}

/** Makes sure the wallet has a row, and locks it until the transaction ends. */
export async function lockSettings(tx: Db, walletaddr: string): Promise<EmailState> {
  await tx.query(`insert into settings (walletaddr) values ($1) on conflict do nothing`, [walletaddr])
  const [state] = await tx.query<EmailState>(
    `select email, verified, coalesce(verification_expires_at > now(), false) as pending
     from settings where walletaddr = $1 for update`,
    [walletaddr],
  )
  return state!
}

/** Changes the fields that are given. Null clears a text, and sets a flag to false. */
export function updateSettings(tx: Db, { walletaddr, ...changes }: SettingsUpdate): Promise<object[]> {
  const { domain, email, notify24, notifydm, signupsite } = changes
  const values = [domain, email, notify24, notifydm, signupsite]
  const given = values.map((value) => value !== undefined)
  return tx.query(
    `update settings set
       domain = case when ($2::boolean[])[1] then $3 else domain end,
       email = case when ($2::boolean[])[2] then $4 else email end,
       notify24 = case when ($2::boolean[])[3] then coalesce($5 = 'true', false) else notify24 end,
       notifydm = case when ($2::boolean[])[4] then coalesce($6 = 'true', false) else notifydm end,
       signupsite = case when ($2::boolean[])[5] then $7 else signupsite end,
       verified = verified and not (($2::boolean[])[2] and $4::text is null)
     where walletaddr = $1`,
    [walletaddr, given, ...values],
  )
}

/**
 * Stores whether the wallet's address is confirmed, or which code confirms it. Earlier codes are no
 * longer valid.
 */
export const updateVerification = (
  tx: Db,
  walletaddr: string,
  verified: boolean,
  verification?: Verification,
) =>
  tx.query(
    `update settings set verified = $2, verification_id = $3, verification_hash = $4,
       verification_expires_at = case when $3::uuid is null then null else now() + interval '24 hours' end
     where walletaddr = $1`,
    [walletaddr, verified, verification?.id, verification?.hash],
  )

const open = `verification_hash = any($1::bytea[]) and verification_expires_at > now()`

/** Whether a code with one of these hashes is valid. */
export async function isVerificationOpen(db: Db, hashes: Buffer[]): Promise<boolean> {
  const rows = await db.query(`select 1 as open from settings where ${open}`, [hashes])
  return rows.length > 0
}

/** Confirms the address of a code, which is then used up. Empty when the code is not valid. */
export async function confirmEmail(db: Db, hashes: Buffer[]): Promise<Settings[]> {
  const rows = await db.query<Found>(
    `update settings set verified = true, verification_id = null, verification_hash = null, verification_expires_at = null
     where ${open} returning ${item}`,
    [hashes],
  )
  return rows.map((row) => row.item)
}

export const deleteSettings = (db: Db, walletaddr: string) =>
  db.query(`delete from settings where walletaddr = $1`, [walletaddr])
