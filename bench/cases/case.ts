// A case consists of this, and these functions make the common ones: a list of targets, the request for each, the statement for
// each.

import type { Db } from '../../server/src/db/pool.ts'
import type { Sample, Traffic } from '../load/load.ts'
import { request, type Access } from '../service/access.ts'

export interface Baseline {
  name: string
  prepare?: (access: Access) => Promise<unknown>
  work: (access: Access) => Promise<(db: Db, n: number) => Promise<unknown>>
}

export interface Case {
  name: string
  about: string
  connections: number
  /** True when it is measured as history grows. */
  grows?: true
  /** Adds to the history what only this case needs. */
  prepare?: (access: Access) => Promise<unknown>
  /** Makes the requests of a run; this is outside of what is timed. */
  traffic?: (access: Access, seconds: number) => Promise<Traffic>
  /** True when runs begin where the service already refuses what is too much. */
  saturated?: true
  /** Runs a case that is no closed loop of requests. */
  run?: (access: Access, seconds: number) => Promise<Sample>
  /** Each baseline does the same work without the service. The case is compared to the first one. */
  baselines: Baseline[]
}

type Targets<T> = (access: Access) => T[] | Promise<T[]>

/** Makes a baseline that goes through the same targets as its case. */
export const each = <T>(
  name: string,
  targets: Targets<T>,
  one: (db: Db, target: T) => Promise<unknown>,
): Baseline => ({
  name,
  work: async (access) => {
    const list = await targets(access)
    return (db, n) => one(db, list[n % list.length]!)
  },
})

/** Makes requests that are sent in turn, again and again. */
export const inTurn = async (requests: Promise<Buffer>[], kind = ''): Promise<Traffic> => ({
  requests: (await Promise.all(requests)).map((bytes) => ({ bytes, kind })),
  once: false,
})

export const get = (access: Access, wallet: string | null, path: string) =>
  request(access, wallet, 'GET', path)

/** Makes a case that reads: the wallet and the path of each request, and the bare query behind it. */
export const reading = <T>(
  name: string,
  about: string,
  targets: Targets<T>,
  path: (target: T) => [wallet: string | null, path: string],
  query: (db: Db, target: T) => Promise<unknown>,
): Case => ({
  name,
  about,
  connections: 32,
  grows: true,
  traffic: async (access) => inTurn((await targets(access)).map((target) => get(access, ...path(target)))),
  baselines: [each('query', targets, query)],
})
