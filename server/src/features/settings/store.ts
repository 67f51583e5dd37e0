import type { Settings, SettingsUpdate } from '@parley/sdk/contract/settings.ts'
import { withoutEmail } from '../../auth/grants.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { day } from '../../lib/times.ts'
import type { GrantTx } from '../../messages/add-grant.ts'

/** The state that decides whether a mail must be sent. */
export interface EmailState {
  email: string | null
  verified: boolean
  /** True when a code was mailed that is still valid. */
  pending: boolean
}

export interface Verification {
  id: string
  hash: Buffer
}

// SQL for a row in the shape of the contract: fields that were never set are left out, flags are strings.
const item = `json_strip_nulls(json_build_object('id', id, 'walletaddr', walletaddr, 'domain', domain, 'email', email,
  'notify24', notify24::text, 'notifydm', notifydm::text, 'signupsite', signupsite, 'verified', verified::text)) as item`

interface Found {
  item: Settings
}

export async function findSettings(db: Db, walletaddr: string): Promise<Settings[]> {
  const rows = await db.query<Found>(`select ${item} from settings where ${ofWallet}`, keyOf(walletaddr))
  return rows.map((row) => row.item)
}

/** Makes sure the wallet has a row, and locks it until the transaction ends. */
export async function lockSettings(tx: Db, walletaddr: string): Promise<EmailState> {
  const now = tx.now()
  const lock = () =>
    tx.query<EmailState>(
      `select email, verified, coalesce(verification_expires_ms > $3, false) as pending
       from settings where ${ofWallet} for update`,
      keyOf(walletaddr, now),
    )
  const [state] = await lock()
  if (state) return state
  await tx.query('select add_settings_v1($1, $2, $3) as added', [now, ...keyOf(walletaddr)])
  return (await lock())[0]!
}

/** Changes the fields that are given, but not the address. Null clears a text, and sets a flag to false. */
export function updateSettings(tx: Db, { walletaddr, ...changes }: SettingsUpdate): Promise<object[]> {
  const { domain, notify24, notifydm, signupsite } = changes
  const values = [domain, notify24, notifydm, signupsite]
  const given = values.map((value) => value !== undefined)
  return tx.query(
    `update settings set
       domain = case when ($3::boolean[])[1] then $4 else domain end,
       notify24 = case when ($3::boolean[])[2] then coalesce($5 = 'true', false) else notify24 end,
       notifydm = case when ($3::boolean[])[3] then coalesce($6 = 'true', false) else notifydm end,
       signupsite = case when ($3::boolean[])[4] then $7 else signupsite end
     where ${ofWallet}`,
    keyOf(walletaddr, given, ...values),
  )
}

/** Sets an address, which is not confirmed. */
export const setEmail = (tx: GrantTx<'mails'>, walletaddr: string, email: string) =>
  tx.query(`update settings set email = $3, verified = false where ${ofWallet}`, keyOf(walletaddr, email))

export const removeEmail = (tx: Db, walletaddr: string) =>
  tx.query(`update settings set ${withoutEmail} where ${ofWallet}`, keyOf(walletaddr))

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
    `update settings set verified = $3, verification_id = $4, verification_hash = $5, verification_expires_ms = $6
     where ${ofWallet}`,
    keyOf(walletaddr, verified, verification?.id, verification?.hash, verification && tx.now() + day),
  )

const open = `verification_hash = any($1::bytea[]) and verification_expires_ms > $2`

/** Returns the wallet whose address a valid code confirms. */
export async function findVerified(db: Db, hashes: Buffer[]): Promise<string | undefined> {
  const [row] = await db.query<{ walletaddr: string }>(
    `select walletaddr from settings where ${open} limit 1`,
    [hashes, db.now()],
  )
  return row?.walletaddr
}

/** Confirms the address of a code, which is then used up. Returns nothing when the code is not valid. */
export async function confirmEmail(db: Db, hashes: Buffer[]): Promise<Settings[]> {
  const walletaddr = await findVerified(db, hashes)
  if (walletaddr === undefined) return []
  // The code is checked again: of two calls with one code, one confirms.
  const rows = await db.query<Found>(
    `with confirmed as (
       update settings set verified = true, verification_id = null, verification_hash = null, verification_expires_ms = null
     where wbucket = $3 and walletaddr = $4 and ${open} returning *
     )
     select ${item} from confirmed`,
    [hashes, db.now(), ...keyOf(walletaddr)],
  )
  return rows.map((row) => row.item)
}

/** Returns the address that there was. */
export async function deleteSettings(
  tx: Db,
  walletaddr: string,
): Promise<Pick<EmailState, 'email' | 'verified'> | undefined> {
  const [before] = await tx.query<Pick<EmailState, 'email' | 'verified'>>(
    `delete from settings where ${ofWallet} returning email, verified`,
    keyOf(walletaddr),
  )
  return before
}
