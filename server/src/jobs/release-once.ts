import type pg from 'pg'

/**
 * Makes a second release of a connection do nothing, for callbacks that get one: graphile-worker releases the one that listens
 * twice when a runner ends at the moment at which that connection fails, and the pool throws at the second time.
 */
export function releasingOnce(pool: pg.Pool): pg.Pool {
  const connect = pool.connect.bind(pool) as (take?: Take) => unknown
  const withOnce = (take?: Take) =>
    take === undefined
      ? connect()
      : connect((error, client, release) => {
          let isReleased = false
          take(error, client, (problem) => {
            // A pool that had no connection in time has none to release.
            if (!isReleased) release?.(problem)
            isReleased = true
          })
        })
  return Object.assign(pool, { connect: withOnce })
}

type Take = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (problem?: Error | boolean) => void,
) => void
