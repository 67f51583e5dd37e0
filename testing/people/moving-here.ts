import { mostClaims } from '@parley/sdk/contract/moving.ts'
import { newCode, storeCode } from '../../server/src/features/moving/store.ts'
import type { Db } from '../../server/src/db/pool.ts'
import type { Person } from './reading.ts'

/** Returns a code for an imported person, as the administrator makes it. */
export async function codeFor(db: Db, address: string): Promise<string> {
  const code = newCode()
  await storeCode(db, { address, code, expires: db.now() + 60_000 })
  return code
}

/** Fills the names from elsewhere that a wallet may have. */
export const fillClaims = (db: Db, wallet: string) =>
  db.query(
    `insert into imported_claims (address, walletaddr, since_ms, unseen)
     select 'slack:' || n, $1, 1, false from generate_series(1, ${mostClaims}) n`,
    [wallet],
  )

/** Takes imported people over, says of one that it is somebody else, and downloads a chat as its owner. */
export async function moveHere(db: Db, { client }: Person, community: string): Promise<void> {
  for (const imported of ['discord:1', 'discord:2']) {
    const body = { code: await codeFor(db, imported) }
    for (let n = 0; n < 2; n++) await client.claimImported({ body })
  }
  await client.listImportedClaims({ query: { addresses: 'discord:1 discord:2' } })
  await client.listOwnImported()
  await client.releaseImported({ imported: 'discord:2' })
  await new Response(await client.exportChat({ nftaddr: community })).arrayBuffer()
}
