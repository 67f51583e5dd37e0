// This file has the parts of a table that is cut by id, and the two short transactions of cut.ts. Each finds a constraint that
// proves which ids a part has, so none reads rows.

import type { Session } from './session.ts'

/** This is the newest part of a table, which has no end. */
export interface Part {
  name: string
  /** The part begins with this id; it is null for the first part. */
  from: number | null
  /** This is true for the whole table, which was never cut. */
  isWhole: boolean
}

/** The constraint with this name says where a part will end. */
export const limitName = 'end_of_part'

export async function findLast({ query }: Session, table: string): Promise<Part> {
  const [last] = await query<{ name: string; from: number | null }>(
    `select c.relname as name, substring(pg_get_expr(relpartbound, c.oid) from 'FROM \\(''(\\d+)''\\)')::float8 as from
     from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = $1::regclass and pg_get_expr(relpartbound, c.oid) like '%TO (MAXVALUE)'`,
    [table],
  )
  return last ? { ...last, isWhole: false } : { name: table, from: null, isWhole: true }
}

/** Returns the id at which a cut that was killed would have ended this part. */
export async function findLimit({ query }: Session, { name }: Part): Promise<number | null> {
  const [found] = await query<{ limit: number }>(
    `select substring(pg_get_constraintdef(oid) from 'id < ''?(\\d+)')::float8 as limit
     from pg_constraint where conrelid = $1::regclass and conname = $2`,
    [name, limitName],
  )
  return found?.limit ?? null
}

/** Makes a table the first part of a partitioned one with its name, and begins the second. Returns the name of the second. */
export async function attachPart({ query }: Session, table: string, limit: number): Promise<string> {
  await query(`lock table ${table} in access exclusive mode`)
  const [first, second] = [`${table}_1`, `${table}_2`]
  const indexes = await query<{ name: string; definition: string; key: string | null }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition, pg_get_constraintdef(k.oid) as key
     from pg_index i join pg_class c on c.oid = i.indexrelid left join pg_constraint k on k.conindid = i.indexrelid
     where i.indrelid = $1::regclass`,
    [table],
  )
  const checks = await query<{ name: string; definition: string }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype = 'c' and conname <> $2`,
    [table, limitName],
  )
  const grants = await query<{ grant: string }>(
    `select format('grant %s on ${table} to %s', privilege_type,
       case grantee when 0 then 'public' else grantee::regrole::text end) as grant
     from pg_class, aclexplode(relacl) where oid = $1::regclass`,
    [table],
  )
  // Names of indexes are unique: the new table takes them over.
  for (const index of indexes)
    await query(`alter index ${index.name} rename to ${index.name.replace(table, first)}`)
  await query(`alter table ${table} rename to ${first}`)
  await query(
    `create table ${table} (like ${first} including all excluding indexes excluding constraints) partition by range (id)`,
  )
  for (const { name, definition } of checks)
    await query(`alter table ${table} add constraint ${name} ${definition}`)
  for (const { name: index, definition, key } of indexes)
    await query(key === null ? definition : `alter table ${table} add constraint ${index} ${key}`)
  for (const { grant } of grants) await query(grant)
  await query(`alter table ${table} attach partition ${first} for values from (minvalue) to (${limit})`)
  await begin({ query }, table, second, limit)
  await query(`alter table ${first} drop constraint ${limitName}`)
  await requireSameIndexes({ query }, first, indexes.length)
  return second
}

/** Ends the newest part at an id, and begins the next one. Returns its name. */
export async function closePart(
  { query }: Session,
  table: string,
  last: Part,
  limit: number,
): Promise<string> {
  await query(`lock table ${table} in access exclusive mode`)
  const next = `${table}_${Number(/\d+$/.exec(last.name)?.[0]) + 1}`
  const indexes = await countIndexes({ query }, last.name)
  await query(`alter table ${table} detach partition ${last.name}`)
  await query(
    `alter table ${table} attach partition ${last.name} for values from (${last.from ?? 'minvalue'}) to (${limit})`,
  )
  await begin({ query }, table, next, limit)
  await query(`alter table ${last.name} drop constraint ${limitName}`)
  await requireSameIndexes({ query }, last.name, indexes)
  return next
}

type Query = Pick<Session, 'query'>

const begin = ({ query }: Query, table: string, part: string, from: number) =>
  query(`create table ${part} partition of ${table} for values from (${from}) to (maxvalue)`)

async function countIndexes({ query }: Query, table: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    'select count(*)::int as count from pg_index where indrelid = $1::regclass',
    [table],
  )
  return row!.count
}

/** PostgreSQL would have built an index that the part lacks while every statement waits. */
async function requireSameIndexes(session: Query, part: string, before: number): Promise<void> {
  if ((await countIndexes(session, part)) !== before)
    throw new Error(`The indexes of ${part} are not those of the service. Nothing is changed.`)
}
