import { parseName } from '../../server/src/values/display-name.ts'
import { type Layout, pairs, person } from './layout.ts'

export type Run = (sql: string, values?: unknown[]) => Promise<unknown>

/** The number of rows that one statement writes, so that progress can be shown. */
export const chunk = 50_000

/**
 * Fills two temporary tables of this connection: `pair` has the two wallets of each conversation, `person` all other
 * wallets. Some of the people get names.
 */
export async function loadPeople(run: Run, layout: Layout): Promise<void> {
  await run('create temp table pair (k bigint primary key, x text collate "C", y text collate "C", bucket integer)')
  const all = [...pairs(layout)]
  for (let from = 0; from < all.length; from += chunk) {
    const some = all.slice(from, from + chunk)
    await run(
      `insert into pair select $1::int + n - 1, x, y, bucket_of(least(x, y) || ' ' || greatest(x, y))
       from unnest($2::text[] collate "C", $3::text[] collate "C") with ordinality as t (x, y, n)`,
      [from, some.map(([x]) => x), some.map(([, y]) => y)],
    )
  }
  const addresses = Array.from({ length: Math.max(layout.people, layout.members) }, (_, n) => person(n))
  await run('create temp table person (n bigint primary key, address text collate "C")')
  await run(
    'insert into person select n - 1, address from unnest($1::text[]) with ordinality as t (address, n)',
    [addresses],
  )
  const names = Array.from({ length: 2000 }, (_, n) => parseName(`Person ${n}`)).filter(
    (name) => 'skeletons' in name,
  )
  await run(
    `insert into names (wbucket, address, id, name, folded)
     select bucket_of(address), address, n * 64 + bucket_of(address), name, folded
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as t (address, name, folded, n)`,
    [addresses.slice(0, names.length), names.map(({ name }) => name), names.map(({ folded }) => folded)],
  )
  await run('insert into profiles (address, name) select address, to_json(name)::text from names')
  const skeletons = names.flatMap((name, n) =>
    name.skeletons.map((skeleton) => [skeleton, addresses[n]!] as const),
  )
  await run('insert into name_skeletons select distinct * from unnest($1::text[], $2::text[])', [
    skeletons.map(([skeleton]) => skeleton),
    skeletons.map(([, address]) => address),
  ])
}
