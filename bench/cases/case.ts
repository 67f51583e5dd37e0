// What a case is, and how the common ones are made: a list of targets, the request for each, the statement for each.

import type { Db } from '../../server/src/db/pool.ts'
import type { Sample, Traffic } from '../load/load.ts'
import { request, type World } from '../service/access.ts'

export interface Floor {
  name: string
  prepare?: (world: World) => Promise<unknown>
  work: (world: World) => Promise<(db: Db, n: number) => Promise<unknown>>
}

export interface Case {
  name: string
  about: string
  connections: number
  /** Whether it is measured as history grows. */
  grows?: true
  /** Adds to the history what only this case needs. */
  prepare?: (world: World) => Promise<unknown>
  /** Makes the requests of a run; outside of what is timed. */
  traffic?: (world: World, seconds: number) => Promise<Traffic>
  /** Whether runs begin where the service already refuses what is too much. */
  saturated?: true
  /** Where a case is no closed loop of requests. */
  run?: (world: World, seconds: number) => Promise<Sample>
  /** The same work without the service. The first is what the case is compared to. */
  floors: Floor[]
}

type Targets<T> = (world: World) => T[] | Promise<T[]>

/** A floor that goes through the same targets as its case. */
export const each = <T>(
  name: string,
  targets: Targets<T>,
  one: (db: Db, target: T) => Promise<unknown>,
): Floor => ({
  name,
  work: async (world) => {
    const list = await targets(world)
    return (db, n) => one(db, list[n % list.length]!)
  },
})

/** Requests that are sent in turn, again and again. */
export const inTurn = async (requests: Promise<Buffer>[], kind = ''): Promise<Traffic> => ({
  requests: (await Promise.all(requests)).map((bytes) => ({ bytes, kind })),
  once: false,
})

export const get = (world: World, wallet: string | null, path: string) => request(world, wallet, 'GET', path)

/** A case that reads: who asks for which path, and the bare query behind it. */
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
  traffic: async (world) => inTurn((await targets(world)).map((target) => get(world, ...path(target)))),
  floors: [each('query', targets, query)],
})
