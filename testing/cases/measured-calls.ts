// This measures what each request to a service makes its database store, and which quota it used for that.

import { randomBytes } from 'node:crypto'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import type { Db } from '../../server/src/db/pool.ts'
import { quotaUses } from '../../server/src/telemetry/metrics.ts'
import type { Service } from '../service/service.ts'

/** The endpoints for which the second of two equal calls does something again, besides those that create or grant, and why. */
const acting: Record<string, string> = {
  signIn: 'a sign-in is used once; the second one has failed',
  publishKey: 'each is another version of the key',
  testWebhook: 'sends a test each time',
}
const isRepeatable = (name: string, { method, idempotent, grants, access }: Endpoint) =>
  method !== 'GET' &&
  !idempotent &&
  (!grants || method === 'PUT') &&
  access !== 'operator' &&
  !(name in acting)

export interface Measured {
  endpoint: string
  status: number
  /** The rows and bytes by which each table has grown. */
  grown: Record<string, { rows: number; bytes: number }>
  charged: { bytes: number; changes: number }
  /** The growth by the same request right after it, where repeating it changes nothing. */
  repeated?: Measured['grown']
}

interface Call {
  method?: string
  url: string
  payload?: unknown
  headers?: Record<string, string>
}

const patterns = Object.entries<Endpoint>(contract).map(([name, endpoint]) => ({
  name,
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '[^/?]+')}/?(\\?|$)`),
}))
const endpointOf = ({ method = 'GET', url }: Call) =>
  patterns.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(url))

/** These tables count what each request has used of its quotas; the other tables hold what it stores. */
const counters = ['wallet_usage', 'rate_limits']

/**
 * Makes the table `growth`, in which every change of another table records the rows and bytes that came and went. To read the
 * sizes of all tables before and after each call would give the same and take a hundred times as long.
 */
async function recordGrowth(db: Db): Promise<void> {
  const tables = await db.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)' and c.relname <> all ($1)`,
    [counters],
  )
  const triggers = tables.map(
    ({ name }) => `
      create trigger grows after insert on ${name} referencing new table as came execute function record_growth();
      create trigger shrinks after delete on ${name} referencing old table as went execute function record_growth();
      create trigger changes after update on ${name} referencing old table as went new table as came
        execute function record_growth();`,
  )
  await db.query(
    `do $all$ begin
     create unlogged table growth (name text, rows integer, bytes integer);
     create function record_growth() returns trigger language plpgsql as $$ begin
       if tg_op <> 'DELETE' then
         insert into growth select tg_table_name, count(*), coalesce(sum(pg_column_size(c.*)), 0) from came c;
       end if;
       if tg_op <> 'INSERT' then
         insert into growth select tg_table_name, -count(*), coalesce(-sum(pg_column_size(w.*)), 0) from went w;
       end if;
       return null;
     end $$;
     ${triggers.join('')}
     end $all$`,
  )
}

/** Returns by how much each table has grown since this was called before. */
async function readGrowth(db: Db): Promise<Measured['grown']> {
  const tables = await db.query<{ name: string; rows: number; bytes: number }>(
    `with since as (delete from growth returning name, rows, bytes)
     select name, sum(rows)::integer as rows, sum(bytes)::integer as bytes from since group by name
     having sum(rows) <> 0 or sum(bytes) <> 0`,
  )
  return Object.fromEntries(tables.map(({ name, ...grown }) => [name, grown]))
}

const usesOf = async () => {
  const { values } = await quotaUses.get()
  const of = (quota: string) => values.find(({ labels }) => labels.quota === quota)?.value ?? 0
  return { bytes: of('bytes'), changes: of('changes') }
}

// It cannot be compressed, and is the same each time, so that a repeated request is one.
const padding = randomBytes(3_000).toString('base64')

const freeTexts = new Set([
  'message',
  'text',
  'reason',
  'label',
  'alias',
  'public_key',
  'signature',
  'backup',
  'social',
])

/** Returns the same request with texts as long as the contract allows, 4 KB at most. */
function heavy({ payload, ...call }: Call, { body }: Endpoint): Call {
  if (!body || payload === undefined) return { ...call, payload }
  const { properties = {} } = body as { properties?: Record<string, { maxLength?: number }> }
  const asText = typeof payload === 'string'
  const given = (asText ? JSON.parse(payload) : payload) as Record<string, unknown>
  const lengthened = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one: object) => ({ ...one, name: padding.slice(0, 200) }))
    const { maxLength = padding.length } = properties[name] ?? {}
    return `${value as string} ${padding}`.slice(0, maxLength)
  }
  const entries = Object.entries(given).map(([name, value]) =>
    freeTexts.has(name) && value !== '' && (typeof value === 'string' || Array.isArray(value))
      ? [name, lengthened(name, value)]
      : [name, value],
  )
  const made = Object.fromEntries(entries) as object
  return { ...call, payload: asText ? JSON.stringify(made) : made }
}

/**
 * Makes requests that are injected into a service from now on go one after the other, as heavy as they are accepted, and measures
 * them.
 */
export async function measureCalls({ app, ctx: { db } }: Service): Promise<Measured[]> {
  const measured: Measured[] = []
  await recordGrowth(db)
  const inject = app.inject.bind(app) as (call: Call) => Promise<{ statusCode: number }>

  async function grownBy<T>(work: () => Promise<T>): Promise<[T, Measured['grown']]> {
    await readGrowth(db)
    return [await work(), await readGrowth(db)]
  }

  async function measure(call: Call) {
    const found = endpointOf(call)
    if (!found || found.endpoint.produces) return inject(call)
    const { name, endpoint } = found
    const usedBefore = await usesOf()
    const [[answer, sent], grown] = await grownBy(async () => {
      const sending = heavy(call, endpoint)
      const first = await inject(sending)
      return first.statusCode < 400 || endpoint.method === 'GET'
        ? ([first, sending] as const)
        : ([await inject(call), call] as const)
    })
    const used = await usesOf()
    const one: Measured = {
      endpoint: name,
      status: answer.statusCode,
      grown,
      charged: { bytes: used.bytes - usedBefore.bytes, changes: used.changes - usedBefore.changes },
    }
    if (answer.statusCode < 300 && isRepeatable(name, endpoint))
      one.repeated = (await grownBy(() => inject(sent)))[1]
    measured.push(one)
    return answer
  }

  let line: Promise<unknown> = Promise.resolve()
  app.inject = ((call: Call) => {
    const next = line.then(() => measure(call))
    line = next.catch(() => {})
    return next
  }) as typeof app.inject
  return measured
}
