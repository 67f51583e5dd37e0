export interface PoolOptions {
  size?: number
  /** How many requests may wait for a connection at once; one more fails at once. */
  queue?: number
  /** Called for each connection that breaks while idle; the pool replaces it by itself. */
  onError?: (error: Error) => void
  /**
   * Called when the database is out of reach and when it is back. With it, no statement waits for a
   * database that is away.
   */
  onReach?: (error: Error | null) => void
  /** Milliseconds without an answer after which a statement has failed; `silence` when left out. */
  patience?: number
  /** As in Db; it must be right. */
  isCluster?: boolean
  /** Whether it may be a standby, which takes no writes. */
  isStandby?: boolean
  /**
   * With `onReach`: called when `isCluster` is no longer right. Then every statement fails, and only a
   * new pool helps.
   */
  onMoved?: () => void
}
