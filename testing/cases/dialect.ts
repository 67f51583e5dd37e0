// These rules find in the text of a statement what a cluster (Citus) refuses or does wrong. The rules are about text, so that
// they hold for the functions of the database too.

import type { Db } from '../../server/src/db/pool.ts'
import { insideOf, type Level, levelsOf, mentions } from './dialect-levels.ts'

/** The facts about tables and functions that the rules need. */
export interface Schema {
  /** The column that says where a row of a table lies; tables that have none are not here. */
  keys: Map<string, 'bucket' | 'wbucket'>
  /** The functions that are not immutable, by name. */
  mutable: Set<string>
}

type Rule = (text: string, schema: Schema) => boolean

/** Returns the parts of a text from one pattern to the next of another, or to the end. */
const partsOf = (text: string, from: RegExp, to: RegExp): string[] =>
  text
    .split(from)
    .slice(1)
    .map((part) => part.split(to)[0]!)

/** Returns the tables that a statement changes. */
const changedTables = (text: string): string[] =>
  Array.from(
    text.matchAll(/\b(?:insert into|update|delete from) (?:only )?(?!set\b)(\w+)/g),
    ([, table]) => table!,
  )

/** Returns the names of what a text calls, and of what else stands before a parenthesis. */
const callsOf = (text: string): string[] => Array.from(text.matchAll(/\b(\w+)\s*\(/g), ([, name]) => name!)

/** Returns true when a text has `from` outside of all parentheses. */
function hasFrom(text: string): boolean {
  let outside = text
  for (let before = ''; before !== outside;) {
    before = outside
    outside = outside.replaceAll(/\([^()]*\)/g, '()')
  }
  return /\bfrom\b/.test(outside)
}

/** Returns the names that a text gives to common table expressions. */
const namedIn = (text: string) =>
  new Set(Array.from(text.matchAll(/\b(\w+) as (?:not )?(?:materialized )?\(/g), ([, name]) => name!))

interface Table {
  alias: string
  key: 'bucket' | 'wbucket'
}

/** Returns true when two tables are joined by their keys, by way of others of these too, or both keys are the same value. */
function isJoined(whole: string, tables: Table[], one: Table, other: Table): boolean {
  const column = ({ alias, key }: Table) => `(?<![\\w.])(?:${alias}\\.)?${key}`
  const valuesOf = (table: Table) =>
    Array.from(whole.matchAll(new RegExp(`${column(table)} = (\\$\\d+|p_\\w+)`, 'g')), ([, value]) => value!)
  const isPair = (a: Table, b: Table) =>
    new RegExp(`${column(a)} = ${column(b)}\\b|${column(b)} = ${column(a)}\\b`).test(whole) ||
    (a.key === b.key && new RegExp(`\\busing \\([^)]*\\b${a.key}\\b`).test(whole)) ||
    valuesOf(a).some((value) => valuesOf(b).includes(value))
  const reached = new Set([one])
  for (const from of reached) for (const to of tables) if (isPair(from, to)) reached.add(to)
  return reached.has(other)
}

/** Returns true when some level joins tables whose keys differ; `around` are those of the levels around it. */
function joinsApart(level: Level, around: Table[], { keys }: Schema, named: Set<string>): boolean {
  const here = level.sources.flatMap(({ name, alias }) => {
    const key = named.has(name) ? undefined : keys.get(name)
    return key === undefined ? [] : [{ alias, key }]
  })
  const outer = around.filter(({ alias }) => mentions(level, alias))
  const tables = [...here, ...outer]
  const isApart = here.some((one) =>
    tables.some((other) => one.key !== other.key && !isJoined(level.whole, tables, one, other)),
  )
  const next = level.sources.length === 0 ? around : here
  return isApart || level.inner.some((inner) => joinsApart(inner, next, { keys, mutable: new Set() }, named))
}

/**
 * Returns true when a select from common table expressions, and from no table that has a key, has a subquery on such a table with
 * their columns.
 */
function asksForEach(level: Level, named: Set<string>, keys: Schema['keys']): boolean {
  const hasKey = ({ sources }: Level) => sources.find(({ name }) => !named.has(name) && keys.has(name))
  const aliases = level.sources.filter(({ name }) => named.has(name)).map(({ alias }) => alias)
  const isRefused = (inner: Level): boolean => {
    if (inner.isSource) return false
    const table = hasKey(inner)
    if (!table) return inner.sources.length === 0 && inner.inner.some(isRefused)
    const isFixed = new RegExp(`\\b${keys.get(table.name)!} = (\\$\\d+|p_\\w+)`).test(inner.own)
    return !isFixed && aliases.some((alias) => mentions(inner, alias))
  }
  return (
    (!hasKey(level) && level.inner.some(isRefused)) ||
    level.inner.some((inner) => asksForEach(inner, named, keys))
  )
}

const isGathered = (text: string) => text.startsWith('select call.number_of_call::text, answer.*')

const rules: Record<string, Rule> = {
  // Citus: "the query contains a join that requires repartitioning", "complex joins are only supported when all distributed
  // tables are co-located and joined on their distribution columns". A common table expression or a `from (select …)` is joined
  // later.
  'a join of tables that lie by different keys': (text, schema) =>
    levelsOf(text).some((level) => joinsApart(level, [], schema, namedIn(text))),

  // Citus: "correlated subqueries are not supported when the FROM clause contains a CTE or subquery".
  'a subquery with columns of a common table expression': (text, { keys }) =>
    levelsOf(text).some((level) => asksForEach(level, namedIn(text), keys)),

  // The clocks of the nodes disagree. The service gives the time (db/clock.ts).
  'a clock': (text) =>
    /\b(now|(clock|statement|transaction)_timestamp|timeofday)\s*\(|\bcurrent_(timestamp|date|time)\b|\blocaltime(stamp)?\b/.test(
      text,
    ),

  // Ids are drawn by next_id_v1, which a cluster replaces.
  nextval: (text) => /\bnextval\s*\(/.test(text),

  // next_id_v1 is immutable on a cluster, where it only repeats what was drawn.
  'a function in `do update` that is not immutable': (text, { mutable }) =>
    partsOf(text, /\bdo update\b/, /\breturning\b/).some((part) =>
      callsOf(part).some((name) => name !== 'next_id_v1' && mutable.has(name)),
    ),

  // Citus: "non-IMMUTABLE functions are not allowed in the RETURNING clause".
  'a function in `returning` that is not immutable': (text, { keys, mutable }) =>
    changedTables(text).some((table) => keys.has(table)) &&
    partsOf(text, /\breturning\b/, /\bloop\b/).some((part) =>
      callsOf(insideOf(part)).some((name) => name !== 'next_id_v1' && mutable.has(name)),
    ),

  // Citus runs such a subquery by itself and then reports: "a column definition list is required for functions returning record".
  'a subquery without columns': (text) => /\(select from\b/.test(text),

  // Reads of several callers are gathered on one machine only: db/coalesce.ts writes them, all with this beginning.
  'a lateral with a limit beside unnest': (text) =>
    // A column of a row that is read already is no such source.
    /\bunnest\s*\((?!\w+\.\w+\))/.test(text) &&
    !isGathered(text) &&
    partsOf(text, /\blateral \(/, /$^/).some((part) => /\blimit\b/.test(insideOf(part))),

  // Citus: "Subqueries without a FROM clause can only contain immutable functions".
  'a function that is not immutable in a subquery without from': (text, { keys, mutable }) =>
    Array.from(text.matchAll(/\b(?:from|join) (\w+)/g)).some(([, table]) => keys.has(table!)) &&
    Array.from(text.matchAll(/\(select\b/g), ({ index }) => insideOf(text.slice(index + 1))).some(
      (inside) => !hasFrom(inside) && callsOf(inside).some((name) => mutable.has(name)),
    ),

  'locks in more than one bucket': (text, { keys }) =>
    partsOf(text, /\bfrom /, /$^/).some((part) => {
      const [before, , after] = part.split(/(\bfor (?:no key )?update\b)/)
      if (after === undefined) return false
      const key = keys.get(/^\w+/.exec(before!)?.[0] ?? '')
      return key !== undefined && !new RegExp(`\\b${key} = (\\$\\d+|p_\\w+)`).test(before!)
    }),

  'changes of tables that lie by different keys in one statement': (text, { keys }) =>
    /\bas (materialized )?\((insert into|update|delete from)\b/.test(text) &&
    new Set(changedTables(text).map((table) => keys.get(table))).size > 1,

  'insert … select without a table that says the bucket': (text, { keys }) =>
    Array.from(text.matchAll(/\binsert into (\w+)(?: as \w+)? ?\([^)]*\) select (.*)/g)).some(
      ([, table, select]) => {
        const key = keys.get(table!)
        const from = Array.from(select!.matchAll(/\bfrom (\w+)/g), ([, name]) => name!)
        return key !== undefined && !from.some((name) => name === 'buckets' || keys.get(name) === key)
      },
    ),
}

/** Removes comments and text in quotes, which say nothing about a statement. */
const plain = (text: string): string =>
  text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\( /g, '(')
    .trim()
    .toLowerCase()

/** Finds what a cluster refuses about the tables. */
export const tableFaults = async (db: Db): Promise<string[]> => {
  const found = await db.query<{ fault: string }>(
    `with keyed as (
       select attrelid as of, attname as key from pg_attribute join pg_class c on c.oid = attrelid
       where attnum = 1 and attname in ('bucket', 'wbucket') and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
     )
     select 'trigger ' || tgname as fault from pg_trigger join keyed on of = tgrelid where not tgisinternal
     union all
     select 'identity column ' || attname from pg_attribute join keyed on of = attrelid where attidentity <> ''
     union all
     select 'unique index without the bucket ' || indexrelid::regclass from pg_index join keyed on of = indrelid
     where indisunique and not exists (
       select from pg_attribute a where a.attrelid = indrelid and attname = key and attnum = any(indkey))
     union all
     select 'number from a sequence ' || attname from pg_attribute a join keyed on of = a.attrelid
       join pg_attrdef d on adrelid = a.attrelid and adnum = attnum where pg_get_expr(adbin, adrelid) ~ 'nextval'
     order by 1`,
  )
  return found.map(({ fault }) => fault)
}

/** Finds what is wrong with a text of one or more statements. */
export const faultsOf = (texts: string, schema: Schema): string[] =>
  plain(texts)
    .split(/; ?|\b(?:loop|then|else) (?=(?:select|insert|update|delete|with|perform|return|for|if)\b)/)
    .flatMap((text) =>
      Object.keys(rules)
        .filter((name) => rules[name]!(text, schema))
        .map((name) => `${name}: ${text}`),
    )
