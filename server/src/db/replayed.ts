import type { Db } from './pool.ts'
import { latestPrimary } from './timeline.ts'

/** Reads on a connection how far its standby has replayed the log of the primary. */
export type Replayed = (tx: Pick<Db, 'query'>) => Promise<bigint>

interface Answer {
  /** A server and its copies have the same system identifier. */
  system: string
  /** The position is null where the server is no standby. */
  position: string | null
  timeline: number
}

// The source from which a standby receives has the timeline of the primary. Where it receives nothing, or the account may not see
// that (it needs pg_read_all_stats), the files give the timeline, which may be minutes old.
const ask = `
  select system_identifier::text as system,
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position,
    coalesce(
      (select received_tli from pg_stat_wal_receiver where status = 'streaming'),
      (select greatest(timeline_id, min_recovery_end_timeline) from pg_control_checkpoint(), pg_control_recovery())
    ) as timeline
  from pg_control_system()`

/**
 * Makes such a read. It throws where the server is no standby of the primary at that URL, or follows one from before a failover:
 * its positions are those of another log. `onForeign` is called with which of the two it is when this begins.
 */
export function openReplayed(primaryUrl: string, onForeign: (what: string) => void): Replayed {
  let known: string | undefined
  return async (tx) => {
    const primary = latestPrimary(primaryUrl)
    if (!primary) throw new Error('the primary is not known yet')
    const [row] = await tx.query<Answer>(ask)
    const { system, position, timeline } = row!
    let foreign: string | undefined
    if (position === null || system !== primary.system)
      foreign = 'READ_DATABASE_URL is no standby of DATABASE_URL'
    else if (timeline !== primary.timeline)
      foreign = 'the standby does not follow the primary of the last failover'
    if (foreign !== undefined && foreign !== known) onForeign(foreign)
    known = foreign
    if (foreign !== undefined) throw new Error(foreign)
    return toNumber(position!)
  }
}

/** Returns where the log of a primary ends: everything that is committed now stands before it. */
export async function endOfLog(primary: Pick<Db, 'query'>): Promise<bigint> {
  const [row] = await primary.query<{ position: string }>('select pg_current_wal_lsn()::text as position')
  return toNumber(row!.position)
}

/** Parses a position in the log, such as `0/1D49F58`, to a number. */
export function toNumber(position: string): bigint {
  const [high, low] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
