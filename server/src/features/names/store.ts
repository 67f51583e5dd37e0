import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { NameMapping } from '@parley/sdk/contract/names.ts'
import type { Name } from '../../values/display-name.ts'
import { foldName } from '../../values/skeleton.ts'
import type { Publishing } from '../../auth/publishing.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofAddress } from '../../db/own-rows.ts'
import { keepUnseen } from '../../messages/unseen.ts'

interface NewName {
  address: string
  name: Name
  domain?: string | undefined
  signupsite?: string | undefined
}

/**
 * Gives an address its name and frees its earlier one. Returns how many rows changed; 409 when another address has a name that
 * looks like it.
 */
export async function updateName(
  db: Db,
  publishing: Publishing,
  { address, name: { name, folded, skeletons, onChain }, domain, signupsite }: NewName,
): Promise<number> {
  if (publishing.isUnseen) {
    const taken = await db.query(
      'select address from name_skeletons where skeleton = any($1::text[]) and address <> $2 limit 1',
      [skeletons, address],
    )
    if (taken.length > 0 && !onChain) throw nameInUse(undefined)
    const value = { name, domain, signupsite }
    await keepUnseen(db, publishing, address, { kind: 'name', about: address, value })
    return 1
  }
  try {
    const [row] = await db.query<{ changed: boolean }>(
      // Spec gap: the chain decides who owns an on-chain name, so an earlier owner loses it here.
      'select set_name_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, false) as changed',
      [db.now(), ...keyOf(address), name, folded, skeletons, domain, signupsite, onChain],
    )
    return Number(row!.changed)
  } catch (error) {
    const { code } = error as { code?: string }
    throw code === uniqueViolation || code === deadlock ? nameInUse(error) : error
  }
}

const uniqueViolation = '23505'
/** The error when two wallets exchange their on-chain names; one call is refused. */
const deadlock = '40P01'

const nameInUse = (cause: unknown) =>
  new ApiError('conflict', 'Another address has this name, or one that looks like it. Choose another name.', {
    cause,
  })

export const deleteName = (db: Db, address: string) =>
  db.query('select delete_name_v1($1, $2) as deleted', keyOf(address))

/** Returns the name of the address, else the address of the name; empty when neither is known. */
export async function findNames(db: Db, address: string, name: string): Promise<NameMapping[]> {
  const own = await db.query<NameMapping>(
    `select id, address, name from names where ${ofAddress}`,
    keyOf(address),
  )
  return own.length > 0 ? own : findNamed(db, name)
}

/** Returns the wallet that has a name here. */
export const findNamed = (db: Db, name: string): Promise<NameMapping[]> =>
  db.query<NameMapping>('select id, address, name from names where folded = $1 limit 1', [foldName(name)])
