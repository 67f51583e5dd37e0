// What a cluster (Citus) refuses or does wrong, found in the text of a statement. The rules are about text, so that they hold
// for the functions of the database too.

import type { Db } from '../server/src/db/pool.ts'

/** What the rules must know of the tables and functions. */
export interface Schema {
  /** The column that says where a row of a table lies; tables that have none are not here. */
  keys: Map<string, 'bucket' | 'wbucket'>
  /** The functions that are not immutable, by name. */
  mutable: Set<string>
}

type Rule = (text: string, schema: Schema) => boolean

/** The parts of a text from one pattern to the next of another, or to the end. */
const partsOf = (text: string, from: RegExp, to: RegExp): string[] =>
  text
    .split(from)
    .slice(1)
    .map((part) => part.split(to)[0]!)

/** Tables that a statement changes. */
const changedTables = (text: string): string[] =>
  Array.from(
    text.matchAll(/\b(?:insert into|update|delete from) (?:only )?(?!set\b)(\w+)/g),
    ([, table]) => table!,
  )

/** The names of what a text calls, and of what else stands before a parenthesis. */
const callsOf = (text: string): string[] => Array.from(text.matchAll(/\b(\w+)\s*\(/g), ([, name]) => name!)

/** From a parenthesis that was just opened to the one that closes it. */
function insideOf(text: string): string {
  let depth = 1
  const end = Array.from(text).findIndex(
    (letter) => (depth += letter === '(' ? 1 : letter === ')' ? -1 : 0) === 0,
  )
  return text.slice(0, end < 0 ? undefined : end)
}

/** Whether a text has `from` outside of all parentheses. */
function hasFrom(text: string): boolean {
  let outside = text
  for (let before = ''; before !== outside;) {
    before = outside
    outside = outside.replaceAll(/\([^()]*\)/g, '()')
  }
  return /\bfrom\b/.test(outside)
}

const isGathered = (text: string) => text.startsWith('select call.n::text, answer.*')

const rules: Record<string, Rule> = {
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

  // Citus runs such a subquery by itself and then asks: "a column definition list is required for functions returning record".
  'a subquery without columns': (text) => /\(select from\b/.test(text),

  // Reads of several callers are gathered on one machine only: db/coalesce.ts writes them, all with this beginning.
  'a lateral with a limit beside unnest': (text) =>
    /\bunnest\s*\(/.test(text) &&
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

/** Comments and text in quotes say nothing about a statement. */
const plain = (text: string): string =>
  text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\( /g, '(')
    .trim()
    .toLowerCase()

/** What a cluster refuses of the tables. */
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

/** What is wrong with a text of one or more statements. */
export const faultsOf = (texts: string, schema: Schema): string[] =>
  plain(texts)
    .split(/; ?/)
    .flatMap((text) =>
      Object.keys(rules)
        .filter((name) => rules[name]!(text, schema))
        .map((name) => `${name}: ${text}`),
    )
