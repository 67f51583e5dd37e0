// Names and communities that were taken under an earlier rule: they stay, and an operator gets a report
// which of them the rule of this version would refuse. What they look like is stored anew, so that
// nobody takes a look-alike of them from now on.

import { openSession, type Session } from '../db/session.ts'
import { parseName, parseSlug } from '../values/display-name.ts'

interface Kind {
  what: string
  table: string
  bucket: 'bucket' | 'wbucket'
  owner: string
  name: string
  skeletons: string
  parse: (name: string) => { skeletons: string[] } | { problem: string }
}

const kinds: Kind[] = [
  {
    what: 'name',
    table: 'names',
    bucket: 'wbucket',
    owner: 'address',
    name: 'name',
    skeletons: 'name_skeletons',
    parse: parseName,
  },
  {
    what: 'community',
    table: 'communities',
    bucket: 'bucket',
    owner: 'chat',
    name: 'community',
    skeletons: 'community_skeletons',
    parse: parseSlug,
  },
]

const pageSize = 1000

interface Row {
  bucket: number
  owner: string
  name: string
}

interface Marked {
  what: string
  name: string
  /** The address, or the key of the community. */
  owner: string
  why: string
}

/** Answers how many names were read; calls back for each that the rule would refuse. */
export async function reviewNames(
  databaseUrl: string,
  onMarked: (marked: Marked) => void,
): Promise<{ read: number; marked: number }> {
  await using session = await openSession(databaseUrl, 'parley names')
  const counts = { read: 0, marked: 0 }
  for (const kind of kinds)
    for await (const page of pagesOf(session, kind)) {
      counts.read += page.length
      for (const { owner, name, why } of await reviewPage(session, kind, page)) {
        counts.marked++
        onMarked({ what: kind.what, name, owner, why })
      }
    }
  return counts
}

async function* pagesOf({ query }: Session, { table, bucket, owner, name }: Kind): AsyncGenerator<Row[]> {
  let last: Row = { bucket: -1, owner: '', name: '' }
  for (;;) {
    const page = await query<Row>(
      `select ${bucket} as bucket, ${owner} as owner, ${name} as name from ${table}
       where (${bucket}, ${owner}) > ($1, $2) order by ${bucket}, ${owner} limit ${pageSize}`,
      [last.bucket, last.owner],
    )
    if (page.length === 0) return
    yield page
    last = page.at(-1)!
  }
}

async function reviewPage({ query }: Session, { table, owner, name, skeletons, parse }: Kind, page: Row[]) {
  const read = page.map((row) => ({ ...row, parsed: parse(row.name) }))
  const pairs = read.flatMap(({ parsed, ...row }) =>
    'skeletons' in parsed ? parsed.skeletons.map((skeleton) => ({ ...row, skeleton })) : [],
  )
  // In order, as the service takes them; and not for a name that was changed since it was read.
  await query(
    `insert into ${skeletons} (skeleton, ${owner})
     select s.skeleton, s.owner from unnest($1::text[], $2::text[], $3::text[]) s (skeleton, owner, name)
     where (s.owner, s.name) in (select ${owner}, ${name} from ${table} where ${owner} = any ($2))
     order by s.skeleton collate "C" on conflict do nothing`,
    [pairs.map((pair) => pair.skeleton), pairs.map((pair) => pair.owner), pairs.map((pair) => pair.name)],
  )
  const held = await query<{ skeleton: string; owner: string }>(
    `select skeleton, ${owner} as owner from ${skeletons} where skeleton = any ($1)`,
    [pairs.map(({ skeleton }) => skeleton)],
  )
  const holders = new Map(held.map((holder) => [holder.skeleton, holder.owner]))
  return read.flatMap(({ parsed, ...row }) => {
    if ('problem' in parsed) return [{ ...row, why: parsed.problem }]
    const other = parsed.skeletons
      .map((skeleton) => holders.get(skeleton))
      .find((holder) => holder !== undefined && holder !== row.owner)
    return other === undefined ? [] : [{ ...row, why: `looks like that of ${other}` }]
  })
}
