import type { Db } from './pool.ts'

/** Asks on a connection how far its standby has replayed the log of the primary. */
export type Replayed = (tx: Db) => Promise<bigint>

/**
 * How to ask that. Throws where the server is no standby of the primary, and calls `onForeign` when
 * this begins.
 */
export function openReplayed(primary: Db, onForeign: () => void): Replayed {
  let primaryId: Promise<string> | undefined
  let isForeign = false
  return async (tx) => {
    primaryId ??= identify(primary)
    const id = await primaryId.catch((error: Error) => {
      primaryId = undefined
      throw error
    })
    const [row] = await tx.query<{ id: string; position: string | null }>(
      `select system_identifier::text as id, case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position
       from pg_control_system()`,
    )
    const position = row!.id === id ? row!.position : null
    if (position === null && !isForeign) onForeign()
    isForeign = position === null
    if (position === null) throw new Error('it is no standby of the primary')
    return toNumber(position)
  }
}

/** What a server and its copies have in common. */
async function identify(db: Db): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    'select system_identifier::text as id from pg_control_system()',
  )
  return row!.id
}

/** Where the log of a primary ends: what is committed now stands before it. */
export async function endOfLog(primary: Db): Promise<bigint> {
  const [row] = await primary.query<{ position: string }>('select pg_current_wal_lsn()::text as position')
  return toNumber(row!.position)
}

/** A position in the log, such as `0/1D49F58`, as a number. */
export function toNumber(position: string): bigint {
  const [high, low] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
