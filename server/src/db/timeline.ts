// A primary that was paused, and replaced meanwhile, wakes up as a primary and stays one until it learns of the new primary. A
// proxy may lead to it in that time. It lacks what was written since, so nothing may be read from it. Each promotion makes a new
// timeline, which distinguishes the two.

import type pg from 'pg'
import { databaseError } from './failures.ts'

interface Server {
  /** The system identifier is the same for a primary and its standbys. */
  system: string
  /** The timeline is undefined for a standby. */
  timeline: number | undefined
}

const latest = new Map<string, Server & { timeline: number }>()

/**
 * Returns the latest primary that a connection to this URL has met; undefined before the first one, or where the server does not
 * say.
 */
export const latestPrimary = (url: string): (Server & { timeline: number }) | undefined => latest.get(url)

/** Returns which server this is; undefined where it does not say, as some hosted ones do not. */
export async function askServer(client: pg.Client): Promise<Server | undefined> {
  try {
    // The name of a file of the log begins with the timeline, in 8 hexadecimal digits.
    const { rows } = await client.query<{ system: string; timeline: number | null }>(
      `select system_identifier::text as system, case when not pg_is_in_recovery()
         then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline
       from pg_control_system()`,
    )
    return { system: rows[0]!.system, timeline: rows[0]!.timeline ?? undefined }
  } catch (error) {
    // These codes mean: not supported (0A000), not allowed (42501), not there (42883).
    if (/^(0A000|42501|42883)$/.test((error as { code?: string }).code ?? '')) return undefined
    throw error
  }
}

/** Throws 25006 when there was a later primary at this URL. */
export async function requireLatest(url: string, client: pg.Client): Promise<void> {
  const server = await askServer(client)
  if (server?.timeline === undefined) return
  const known = latest.get(url)
  if (known?.system === server.system && server.timeline < known.timeline)
    throw databaseError('25006', 'it is a primary from before a failover')
  latest.set(url, { ...server, timeline: server.timeline })
}
