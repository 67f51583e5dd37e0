// The messages of an export are first written into temporary tables of the database, which are on its disk and end with the command.
// There they are put in the order of time, whatever order the export has, and replies find what they reply to. So memory does not grow
// with the export, and one that is imported again, or after the command was killed, has the same messages in the same places.

import type { Session } from '../../db/session.ts'
import { createHash } from 'node:crypto'
import { mostFiles } from '@parley/sdk/contract/files.ts'
import {
  addressOf,
  cleanFileName,
  cleanName,
  cleanText,
  ImportError,
  isTime,
  keyOf,
  type Attachment,
  type Kind,
  type MessageRecord,
  type Record,
  systems,
} from './records.ts'
import { type Reaction, reactionsOf } from './reactions.ts'
import type { Reason } from './report.ts'
import type { Tree } from './tree.ts'

const tables = `
  create temp table staged (
    n bigint not null, channel text collate "C" not null, ref text collate "C" not null, author text collate "C" not null,
    ms bigint not null, body text not null, reply text collate "C", more jsonb, unique (channel, ref));
  create temp table people (address text collate "C" primary key, name text not null);
  create temp table pinned (channel text collate "C" not null, ref text collate "C" not null, primary key (channel, ref))`

/** What a message has besides its text. */
export interface More {
  files?: (Attachment & { size: number })[]
  reactions?: Reaction[]
}

interface Options {
  kind: Kind
  tree: Tree
  /** Returns false for a channel that is not to be imported. */
  isChosen: (channel: string) => boolean
  /** Returns the wallet of a person, by the id in the export. */
  walletOf: (id: string) => string | undefined
  now: number
  /** The largest file, in bytes. */
  fileSize: number
  leaveOut: (reason: Reason, many?: number) => void
  onProgress: (messages: number) => void
}

/** This many records are written at once. */
const atOnce = 2000
/** One import has at most this many messages, whose order still fits into the ids of a bucket. */
const mostMessages = 50_000_000
const mostChannels = 10_000

type Row = [string, string, string, number, string, string | null, string | null]

/** Reads a whole export into the temporary tables of a session. Returns the names of all its channels. */
export async function stage(
  session: Session,
  records: AsyncIterable<Record>,
  options: Options,
): Promise<string[]> {
  const { isChosen, leaveOut } = options
  await session.query(tables)
  const channels = new Set<string>()
  const named = new Map<string, string>()
  let rows: Row[] = []
  let pins: [string, string][] = []
  let count = 0
  const flush = async () => {
    await write(session, rows, pins, named, count - rows.length, leaveOut)
    rows = []
    pins = []
    named.clear()
    options.onProgress(count)
  }
  for await (const record of records) {
    if (record.kind === 'left-out') leaveOut(record.reason)
    else if (record.kind === 'person') {
      const address = personOf(options, record.id)
      if (record.id && record.name) named.set(address, cleanName(record.name, record.id))
    } else if (record.kind === 'pin') pins.push([keyOf(record.channel), keyOf(record.id)])
    else {
      const channel = keyOf(record.channel)
      channels.add(channel)
      if (channels.size > mostChannels)
        throw new ImportError(`The export has more than ${mostChannels} channels. Import it in parts.`)
      const row = isChosen(channel) ? await rowOf(record, channel, options) : (leaveOut('other'), undefined)
      if (row) {
        rows.push(row)
        count++
        if (record.pinned) pins.push([channel, row[1]])
      }
      if (count > mostMessages) throw new ImportError(`The export has more than ${mostMessages} messages.`)
    }
    if (rows.length >= atOnce || pins.length >= atOnce || named.size >= atOnce) await flush()
  }
  await flush()
  await session.query('analyze staged')
  return [...channels]
}

const personOf = ({ kind, walletOf }: Options, id: string): string => walletOf(id) ?? addressOf(kind, id)

/** Says why a message is left out, as far as its text and files do not decide. */
const problemOf = ({ id, author, ms }: MessageRecord, now: number): Reason | undefined => {
  if (!id || !author || !Number.isFinite(ms)) return 'unreadable'
  return isTime(Math.floor(ms), now) ? undefined : 'time'
}

async function rowOf(record: MessageRecord, channel: string, options: Options): Promise<Row | undefined> {
  const problem = problemOf(record, options.now)
  const { text, isCut } = cleanText(record.text)
  const files = problem ? [] : await filesOf(record.files ?? [], options)
  if (problem || (!text && files.length === 0)) {
    options.leaveOut(problem ?? 'empty')
    return undefined
  }
  if (isCut) options.leaveOut('cut')
  const reactions = reactionsOf(record.reactions ?? [], (id) => personOf(options, id), options)
  const more: More = { ...(files.length > 0 && { files }), ...(reactions.length > 0 && { reactions }) }
  return [
    channel,
    keyOf(record.id),
    personOf(options, record.author),
    Math.floor(record.ms),
    text,
    record.reply === undefined ? null : keyOf(record.reply),
    files.length + reactions.length > 0 ? JSON.stringify(more) : null,
  ]
}

/** Returns the files of a message that are in the export. */
async function filesOf(
  all: Attachment[],
  { tree, fileSize, leaveOut }: Options,
): Promise<More['files'] & {}> {
  const found: (Attachment & { size: number })[] = []
  for (const { path, name } of all) {
    const size = path ? await tree.sizeOf(path) : undefined
    if (size === 'outside') leaveOut('file-outside')
    else if (!size) leaveOut('file-away')
    else if (size > fileSize) leaveOut('file-large')
    else if (found.length === mostFiles) leaveOut('file-many')
    else found.push({ path, name: cleanFileName(name || path), size })
  }
  return found
}

async function write(
  { query }: Session,
  rows: Row[],
  pins: [string, string][],
  named: Map<string, string>,
  before: number,
  leaveOut: Options['leaveOut'],
): Promise<void> {
  const columns = [0, 1, 2, 3, 4, 5, 6].map((n) => rows.map((row) => row[n]))
  const stored = await query<{ one: number }>(
    `insert into staged (n, channel, ref, author, ms, body, reply, more)
     select $8 + u.n, u.channel, u.ref, u.author, u.ms, u.body, u.reply, u.more
     from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::jsonb[]) with ordinality
       as u (channel, ref, author, ms, body, reply, more, n)
     on conflict do nothing returning 1 as one`,
    [...columns, before],
  )
  if (stored.length < rows.length) leaveOut('twice', rows.length - stored.length)
  await query(
    `insert into pinned (channel, ref) select * from unnest($1::text[], $2::text[]) on conflict do nothing`,
    [pins.map(([channel]) => channel), pins.map(([, ref]) => ref)],
  )
  await query(
    `insert into people (address, name) select * from unnest($1::text[], $2::text[])
     on conflict (address) do update set name = excluded.name`,
    [[...named.keys()], [...named.values()]],
  )
}

// Times that are equal become later by a millisecond each.
const place = `
  create temp table placed as
  select channel, ref, k, k + max(ms - k) over (partition by channel order by k) as ms, author, body, reply, more
  from (select *, row_number() over (partition by channel order by ms, n) as k from staged) s;
  create unique index on placed (channel, k);
  create unique index on placed (channel, ref);
  analyze placed`

export interface Staged {
  messages: number
  authors: number
  with_wallet: number
  files: number
  reactions: number
  pins: number
  replies_gone: number
  pins_gone: number
  first: number | null
  last: number | null
  digest: string
}

/** Puts all staged messages in their order. */
export const placeAll = ({ query }: Session): Promise<object[]> => query(place)

/** A chat has at most this many pins. */
export const mostPins = 50

/** Returns what a channel has. The digest tells it from every other one, whatever order its files have. */
export async function countStaged({ query }: Session, channel: string, kind: Kind): Promise<Staged> {
  const [row] = await query<Staged & { sum: string; pinned: number }>(
    `select count(*) as messages, count(distinct author) as authors, min(ms) as first, max(ms) as last,
       count(distinct author) filter (where author !~ $2) as with_wallet,
       coalesce(sum(jsonb_array_length(more->'files')), 0)::bigint as files,
       coalesce(sum((select sum(jsonb_array_length(r->'users')) from jsonb_array_elements(more->'reactions') r)), 0)::bigint as reactions,
       count(*) filter (where reply is not null and not exists (
         select 1 from placed q where q.channel = p.channel and q.ref = p.reply and q.k < p.k)) as replies_gone,
       coalesce(sum(hashtextextended(concat_ws(E'\\x1f', k, ref, author, ms, body, reply, more::text), 0)::numeric), 0)::text as sum,
       (select count(*) from pinned where channel = $1) as pinned,
       (select count(*) from pinned x join placed q using (channel, ref) where x.channel = $1) as pins
     from placed p where channel = $1`,
    [channel, `^(${systems.join('|')}):`],
  )
  const { sum, pinned, ...counts } = row!
  const pins = Math.min(counts.pins, mostPins)
  const digest = createHash('sha256').update(`${kind} ${channel} ${counts.messages} ${sum}`).digest('hex')
  return { ...counts, pins, pins_gone: pinned - pins, digest }
}
