// Knows which wallets are the team of the service. Every instance holds them in memory and reads them every 1.5 s: they are few,
// so all are read.

import type { ServiceEvent } from '@parley/sdk/contract/events.ts'
import { mostOfficial, type OfficialWallet } from '@parley/sdk/contract/official.ts'
import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { keepUp } from '../instances/polled-memory.ts'
import { alone, type Siblings } from '../instances/siblings.ts'

export interface Officials extends AsyncDisposable {
  /** Returns what a wallet does for the team; undefined for a wallet that is not on it. */
  get: (wallet: string) => OfficialWallet | undefined
  /** Returns all, the first one named first. */
  list: () => OfficialWallet[]
  /** Reads what changed, on this machine now. */
  refresh: () => Promise<void>
}

export const officialColumns = 'address, label, named_by, since_ms::float8 as since_ms'
export interface OfficialRow {
  address: string
  label: string
  named_by: string
  since_ms: number
}

export const officialOf = ({ address, label, since_ms }: OfficialRow): OfficialWallet => ({
  address,
  label,
  since: new Date(since_ms).toISOString(),
})

type TeamEvent = Extract<ServiceEvent, { type: 'official' }>

/** Returns an event for each wallet that differs between two lists. */
const changesOf = (before: Map<string, OfficialWallet>, now: Map<string, OfficialWallet>): TeamEvent[] => [
  ...[...before.keys()]
    .filter((wallet) => !now.has(wallet))
    .map((wallet) => ({ type: 'official' as const, wallet })),
  ...[...now.values()]
    .filter(({ address, label }) => before.get(address)?.label !== label)
    .map(({ address, label, since }) => ({ type: 'official' as const, wallet: address, label, since })),
]

/**
 * All are loaded before this returns, so that no wallet of the team is without its sign. Each instance announces a change to its
 * own streams when it knows it.
 */
export async function openOfficials(
  db: Db,
  announce: (event: TeamEvent) => void,
  log: Logger,
  siblings: Siblings = alone,
  refreshEvery?: number,
): Promise<Officials> {
  let known: Map<string, OfficialWallet> | undefined
  const read = async () => {
    const rows = await db.query<OfficialRow>(
      `select ${officialColumns} from officials order by since_ms, address limit ${mostOfficial}`,
    )
    const now = new Map(rows.map((row) => [row.address, officialOf(row)]))
    const changes = known ? changesOf(known, now) : []
    known = now
    for (const change of changes) announce(change)
  }
  await read()
  const polling = keepUp('the team', log, siblings, read, refreshEvery)
  return {
    get: (wallet) => known?.get(wallet),
    list: () => [...(known?.values() ?? [])],
    async refresh() {
      await polling.refresh()
      await siblings.ask('changed')
    },
    [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose](),
  }
}
