import pg from 'pg'
import { vi } from 'vitest'
import { partitionOf } from '../service/partitioned-database.ts'
import { type Client } from '@parley/sdk'

interface Node {
  'Relation Name'?: string
  Plans?: Node[]
}

export interface Recorded {
  /** The texts that the service gave to Db.query. */
  texts: Set<string>
  /**
   * For each statement that was run, by its text, also inside the functions of the database: the maximum number of partitions of
   * one table that it touches. The least of several runs counts, because a batch may be about several buckets.
   */
  touched: Map<string, number>
  /** The tables that were read or written. */
  tables: Set<string>
}

/** PostgreSQL sends the plan of each statement that it runs. The values are in it, as a cluster plans each statement. */
const explained = `
  load 'auto_explain';
  set auto_explain.log_min_duration = 0; set auto_explain.log_level = notice; set auto_explain.log_format = json;
  set auto_explain.log_nested_statements = on; set auto_explain.log_parameter_max_length = 0;
  set plan_cache_mode = force_custom_plan`

/** Records all statements of pools that connect until it is disposed. */
export function recordStatements(): Recorded & Disposable {
  const recorded: Recorded = { texts: new Set(), touched: new Map(), tables: new Set() }
  const { connect, query } = pg.Client.prototype as unknown as Record<'connect' | 'query', Method>
  const connecting = spyOn('connect', async function () {
    const client = await connect.call(this)
    if (!isOfPool(this)) return client
    this.on('notice', ({ message }) => record(recorded, message ?? ''))
    await query.call(this, explained)
    return client
  })
  const asking = spyOn('query', function (...given) {
    const [config] = given as [string | { text?: string; name?: string }]
    if (typeof config === 'object' && config.name && config.text) recorded.texts.add(config.text)
    return query.apply(this, given)
  })
  return {
    ...recorded,
    [Symbol.dispose]() {
      connecting.mockRestore()
      asking.mockRestore()
    },
  }
}

type Method = (this: pg.Client, ...given: unknown[]) => unknown

/** Returns false for other connections, which query what is no request's: whether the database is there, what it is. */
const isOfPool = (client: pg.Client): boolean =>
  /^parley( jobs)?$/.test(
    (client as unknown as { connectionParameters: { application_name: string } }).connectionParameters
      .application_name,
  )

const spyOn = (name: 'connect' | 'query', method: Method) =>
  vi.spyOn(pg.Client.prototype, name).mockImplementation(method)

function record({ touched, tables }: Recorded, notice: string): void {
  const [, json] = /^duration: .* plan:\n([^]*)/.exec(notice) ?? []
  if (!json) return
  const { 'Query Text': text, Plan } = JSON.parse(json) as { 'Query Text': string; Plan: Node }
  const relations = new Set(relationsOf(Plan))
  const counts = new Map<string, number>()
  for (const relation of relations) {
    const table = partitionOf(relation)
    tables.add(table ?? relation)
    if (table) counts.set(table, (counts.get(table) ?? 0) + 1)
  }
  const most = Math.max(0, ...counts.values())
  touched.set(text, Math.min(most, touched.get(text) ?? Infinity))
}

const relationsOf = ({ 'Relation Name': relation, Plans = [] }: Node): string[] => [
  ...(relation === undefined ? [] : [relation]),
  ...Plans.flatMap(relationsOf),
]

/** Returns a client that adds the name of each endpoint it calls. */
export const recordingCalls = (client: Client, called: Set<string>): Client =>
  new Proxy(client, {
    get(of, name: keyof Client) {
      called.add(name)
      return of[name]
    },
  })
