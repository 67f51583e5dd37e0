import type { Layout } from './layout.ts'

export interface PoolOptions {
  /** This must be the database's layout. */
  layout: Layout
  size?: number
  /** At most this many requests wait for a connection at once; the next one fails at once. */
  queue?: number
  /** This is called for each connection that breaks while idle; the pool replaces it by itself. */
  onError?: (error: Error) => void
  /**
   * This is called when the database is out of reach and when it is back. With it, no statement waits for a database that is
   * away.
   */
  onReach?: (error: Error | null) => void
  /** A statement has failed after this many milliseconds without a response; `silence` when left out. */
  patience?: number
  /** This is true when it may be a standby, which accepts no writes. */
  isStandby?: boolean
  /** Needs `onReach`, and is called when `layout` is no longer right. Then every statement fails, and only a new pool helps. */
  onMoved?: () => void
}
