import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { onOneMachine } from '../../testing/service/engines.ts'
import { newWallet, startService } from '../../testing/service/service.ts'

const numbers = '(select n from generate_series(1, 3000) n) m'
/** These tables grow with the service, and a send looks something up in each. */
const grown = {
  profiles: `insert into profiles (address, name) select 'w' || n, '"w"' from ${numbers}`,
  idempotency_keys: `insert into idempotency_keys (bucket, caller, key, request_hash, expires_ms)
    select n % 64, 'w' || n, 'k', '\\x00', 9e15 from ${numbers}`,
  conversations: `insert into conversations (bucket, a, b, id, last_ms) select n % 64, 'v', 'w' || n, -n, 1 from ${numbers}`,
  group_chats: `insert into group_chats (bucket, chat, nftaddr, context_type)
    select n % 64, 'w' || n, 'w' || n, 'nft' from ${numbers}`,
  group_visits: `insert into group_visits (bucket, chat, walletaddr) select n % 64, 'w' || n, 'v' from ${numbers}`,
}

onOneMachine('no send reads a table from its beginning, whether it goes alone or with others', async () => {
  await using service = await startService()
  const { db } = service.ctx
  const wallets = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const address = newWallet()
      return { address, as: await service.as(address) }
    }),
  )
  const chat = newWallet()
  const sendAll = (some: typeof wallets, idempotencyKey?: string) =>
    Promise.all(
      some.flatMap(({ address, as }, i) => {
        const headers = idempotencyKey === undefined ? {} : { idempotencyKey }
        const said = { fromaddr: address, message: 'gm' }
        return [
          as.sendDirectMessage({ body: { ...said, toaddr: wallets[(i + 1) % 16]!.address } }, headers),
          as.postGroupMessage({ body: { ...said, nftaddr: chat } }, headers),
        ]
      }),
    )
  await sendAll(wallets)
  for (const insert of Object.values(grown)) await db.query(insert)
  await db.query('vacuum analyze')
  const scans = () =>
    db.query<{ name: string; reads: number; lookups: number }>(
      `select relname as name, seq_scan::integer as reads, idx_scan::integer as lookups
       from pg_stat_user_tables where relname = any ($1) order by 1`,
      [Object.keys(grown)],
    )
  /** Processes of the database report what they have done about once a second, while they do anything. */
  const settled = async () => {
    for (let last = await scans(); ;) {
      await sleep(2000)
      await db.query('select 1 as one')
      const now = await scans()
      if (JSON.stringify(now) === JSON.stringify(last)) return now
      last = now
    }
  }
  const before = await settled()
  const rounds = 3
  for (let n = 0; n < rounds; n++) {
    await sendAll(wallets)
    await sendAll(wallets, `all-${n}`)
    await sendAll(wallets.slice(0, 1), `one-${n}`)
  }
  // Now somebody in each batch does not accept messages from everyone.
  await wallets[1]!.as.setDmPolicy({ body: { who: 'requests' } })
  for (let n = 0; n < rounds; n++) await Promise.allSettled([sendAll(wallets)])
  const after = await settled()
  for (const [i, { name, lookups, reads }] of after.entries()) {
    expect(lookups, name).toBeGreaterThan(before[i]!.lookups)
    // A chore of the service may read one of them once in this time.
    expect(reads - before[i]!.reads, name).toBeLessThan(rounds)
  }
})
