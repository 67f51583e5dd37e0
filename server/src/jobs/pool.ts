import type pg from 'pg'
import { newPool } from '../db/client.ts'
import { silence } from '../db/pool.ts'
import { releasingOnce } from './release-once.ts'

/** Opens the connections of runners. */
export const openPool = (url: string, max: number): pg.Pool =>
  releasingOnce(
    newPool({
      url,
      name: 'parley jobs',
      settings: { statement_timeout: '30s', idle_in_transaction_session_timeout: '30s' },
      max,
      patience: silence,
      connectionTimeoutMillis: 2000,
      keepAlive: true,
    }),
  )
