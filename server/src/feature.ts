// A feature of the service consists of this. Each folder of features/ describes itself once, in its feature.ts; features/index.ts
// lists them, and everything else is made from that list.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import type { LastingGrant } from './auth/grants.ts'
import type { Config } from './config/settings.ts'
import type { Context } from './context.ts'
import type { Db } from './db/pool.ts'
import type { FileStore } from './files/store.ts'
import { type Handlers, serve } from './http/endpoint.ts'
import type { Tasks } from './jobs/tasks.ts'
import type { Reader } from './cluster/follow.ts'
import type { ArchivedFile } from './lib/zip.ts'
import type { Holds } from './messages/holds.ts'

/** Endpoints of the contract with their handlers. */
export interface Served<Name extends string = string> {
  /** The heading of the documentation under which they are. */
  tag: string
  table: Readonly<Record<Name, Endpoint>>
  serve: (app: FastifyInstance, ctx: Context) => void
}

/**
 * A file of an export has lines of JSON: where they are few, a statement selects each as `item`, in order (`wbucket` is $1, the
 * wallet $2); else a function reads them page by page (db/own-rows.ts).
 */
type Lines = string | ((db: Db, wallet: string, config: Config) => AsyncIterable<string>)

/** The part of a table that the export of a wallet has. */
interface Exported {
  lines?: Readonly<Record<`${string}.jsonl`, Lines>>
  /** Times in account.json: each is an expression in milliseconds, with the parameters of a statement of lines. */
  times?: Readonly<Record<string, string>>
  files?: (db: Db, wallet: string, store: FileStore) => AsyncIterable<ArchivedFile>
}

/**
 * Says how erasing a wallet changes a table: in the last transaction, which may be repeated; or `before` it, in transactions of
 * its own that each lock few rows for a moment.
 */
export type Erased =
  | ((tx: Db, wallet: string, hash: Buffer) => Promise<unknown>)
  | { before: (db: Db, wallet: string, holds: Holds) => Promise<void> }

/**
 * Says how the rows of a table end: at a certain age in days, by a column, when a chore deletes them (`row` has the other
 * conditions that they must meet); or
 *
 *   erasure     the wallet deletes them, or its account is erased; docs/security.md says how many it can have
 *   retention   as messages, after RETENTION_DAYS, or by their author
 *   bound       they stay with a chat or conversation that others see; docs/security.md says how many a wallet can make
 *   held        with a legal hold
 *   operators   the administrator of the service makes and ends them
 *   fixed       the service has as many as it needs, whatever wallets do
 */
export type Ending =
  | { column: string; days: number; row?: Record<string, unknown> }
  | 'erasure'
  | 'retention'
  | 'bound'
  | 'held'
  | 'operators'
  | 'fixed'

/** A table of the database. A text gives the reason where there is nothing to do. */
export interface Table {
  exported: Exported | string
  erased: Erased | string
  /** The reason why something that names the wallet stays after it is erased. */
  stays?: string
  ends: Ending
  /** The grant that its rows are; or the reason why they let nobody read or write for a wallet after its sign-in has ended. */
  access: { grant: LastingGrant } | string
}
export type Tables = Readonly<Record<string, Table>>

/** Describes a table that has nothing about a wallet. */
export const ofNoWallet = (ends: Ending, access = 'no wallet'): Table => ({
  exported: 'no wallet',
  erased: 'no wallet',
  ends,
  access,
})

export interface Feature {
  endpoints?: readonly Served[]
  /** Adds pages for people, which are not part of the contract. */
  pages?: (app: FastifyInstance, ctx: Context) => Promise<void>
  tasks?: Partial<Tasks<Context>>
  /** Returns the readers of the log, which act on messages and posts that were stored. */
  readers?: (ctx: Context) => Reader[]
  /** Returns work that each instance does from its start until it is disposed of. */
  loops?: (ctx: Context) => (AsyncDisposable | undefined)[]
  /** They delete what has expired, and what a killed process left behind. They run each hour, on one instance. */
  chores?: readonly ((db: Db, standing: Context['standing']) => Promise<unknown>)[]
  /** The tables that only this feature writes, by their names. */
  tables?: Tables
}

/** Preserves the names of its endpoints and tasks, so that a missing one does not compile. */
export const feature = <const One extends Feature>(one: One): One => one

/** Endpoints under a heading of the documentation. A handler that is missing does not compile. */
export const endpoints = <Endpoints extends Record<string, Endpoint>>(
  tag: string,
  table: Endpoints,
  handlers: Handlers<Endpoints>,
): Served<keyof Endpoints & string> => ({
  tag,
  table,
  serve: (app, ctx) => serve(app, ctx, table, handlers),
})

/** Returns the tables of all features, in their order. */
export const tablesOf = (all: readonly Feature[]): [string, Table][] =>
  all.flatMap(({ tables = {} }) => Object.entries(tables))
