import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { NameMapping } from '@parley/sdk/contract/names.ts'
import { foldName, type Name } from '../../values/display-name.ts'
import type { Db } from '../../db/pool.ts'

interface NewName {
  address: string
  name: Name
  domain?: string | undefined
  signupsite?: string | undefined
}

/**
 * Gives an address its name and frees its earlier one. Answers how many rows changed; 409 when
 * another address has a name that looks like it.
 */
export async function updateName(db: Db, change: NewName): Promise<number> {
  try {
    return await replaceName(db, change)
  } catch (error) {
    throw (error as { code?: string }).code === deadlock ? nameInUse(error) : error
  }
}

// Calls for one address wait for each other at its row in `names`, calls for look-alike names at
// their skeletons. Skeletons are locked in order, and before any is freed, so calls never wait in a
// circle. Only two on-chain names that two wallets exchange can deadlock; then one call is refused.
const deadlock = '40P01'

function replaceName(db: Db, { address, name, domain, signupsite }: NewName): Promise<number> {
  return db.transaction(async (tx) => {
    // Spec gap: the chain decides who owns an on-chain name, so an earlier owner loses it here.
    if (name.onChain)
      await tx.query(`delete from names where folded = $1 and address <> $2`, [name.folded, address])
    const changed = await tx.query(upsertName, [address, name.name, name.folded, domain, signupsite])
    if (changed.length === 0) return 0
    await tx.query(
      `insert into name_skeletons (skeleton, address)
       select skeleton, $1 from unnest($2::text[]) as s (skeleton) order by skeleton collate "C" on conflict do nothing`,
      [address, name.skeletons],
    )
    const [other] = await tx.query(
      `select 1 from name_skeletons where skeleton = any($1) and address <> $2 limit 1`,
      [name.skeletons, address],
    )
    if (other) throw nameInUse()
    await tx.query(`delete from name_skeletons where address = $1 and skeleton <> all($2)`, [
      address,
      name.skeletons,
    ])
    return 1
  })
}

const nameInUse = (cause?: unknown) =>
  new ApiError('conflict', 'Another address has this name, or one that looks like it. Choose another name.', {
    cause,
  })

/** Returns a row when something changes; locks the row in any case. */
const upsertName = `
  insert into names as n (address, name, folded, domain, signupsite) values ($1, $2, $3, $4, $5)
  on conflict (address) do update set
    name = excluded.name, folded = excluded.folded,
    domain = coalesce(excluded.domain, n.domain), signupsite = coalesce(excluded.signupsite, n.signupsite)
    where n.name <> excluded.name or n.domain is distinct from coalesce(excluded.domain, n.domain)
      or n.signupsite is distinct from coalesce(excluded.signupsite, n.signupsite)
  returning 1 as changed`

/** The name of the address, else the address of the name; empty when neither is known. */
export const findNames = (db: Db, address: string, name: string) =>
  db.query<NameMapping>(
    `select id, address, name from names where address = $1 or folded = $2 order by address = $1 desc limit 1`,
    [address, foldName(name)],
  )
