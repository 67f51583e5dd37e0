// An import: reads an export into temporary tables (stage.ts), then stores one chat after the other, part by part (store.ts). A dry
// run does the first half alone.

import type { Config } from '../../config/settings.ts'
import { layouts } from '../../cluster/layout.ts'
import { findLayout } from '../../db/layout.ts'
import { connect, type Db } from '../../db/pool.ts'
import { openSession, type Session } from '../../db/session.ts'
import { openFileStore } from '../../files/open.ts'
import { mebibyte } from '../../lib/amounts.ts'
import type { OnProgress } from '../../lib/progress.ts'
import { chatBucket } from '../../values/bucket.ts'
import { begin, type Begun, getImport, isUsed } from './begin.ts'
import { storeBytes, type StoredBytes } from './files.ts'
import { finish, nameAuthors } from './finish.ts'
import { ImportError, type Kind } from './records.ts'
import { createLeftOut, type Imported, type LeftOut, type Reason } from './report.ts'
import { sources } from './sources.ts'
import { countStaged, type More, placeAll, stage, type Staged } from './stage.ts'
import * as store from './store.ts'
import { type Goal, planFor, prepare } from './targets.ts'
import { openTree, type Tree } from './tree.ts'

export interface ImportOptions {
  databaseUrl: string
  config: Config
  from: string
  kind: Kind
  /** The name of the community. */
  into: string
  /** Creates the community for this wallet where there is none. */
  owner: string | undefined
  /** `name` or `name=room`; all channels when empty. */
  channels: string[]
  /** Wallets of people by their ids in the export. */
  wallets: Map<string, string>
  isDry: boolean
  onProgress?: OnProgress
  signal?: AbortSignal
}

interface Run extends ImportOptions {
  session: Session
  db: Db
  tree: Tree
  leaveOut: (reason: Reason, many?: number) => void
}

export async function runImport(options: ImportOptions): Promise<{ chats: Imported[]; left: LeftOut }> {
  const { databaseUrl: url, kind, config, onProgress = () => {} } = options
  await using tree = await openTree(options.from)
  await using session = await openSession(url, 'parley import')
  await using db = connect(url, { layout: layouts[await findLayout(url)], size: 2 })
  await db.learnTime()
  const left = createLeftOut()
  const plan = planFor(options.channels, kind)
  const run: Run = { ...options, session, db, tree, leaveOut: left.add }
  const found = await stage(session, sources[kind](tree), {
    kind,
    tree,
    isChosen: plan.isChosen,
    walletOf: (id) => options.wallets.get(id),
    now: db.now(),
    fileSize: config.fileSize * mebibyte,
    leaveOut: left.add,
    onProgress: (messages) => onProgress(`${messages} messages read`, 0, 1),
  })
  await placeAll(session)
  const goals = plan.goalsOf(found, options.into)
  const chats: Imported[] = []
  const staged = new Map<Goal, Staged>()
  // Whatever refuses a chat refuses the whole import before anything is stored.
  for (const goal of goals) staged.set(goal, await requireFree(run, goal))
  const ready = await prepare(db, options, goals)
  if (!options.isDry && goals.length > 0) await nameAuthors(session, db)
  for (const goal of goals) {
    const counts = staged.get(goal)!
    if (counts.replies_gone > 0) left.add('reply', counts.replies_gone)
    if (counts.pins_gone > 0) left.add('pin', counts.pins_gone)
    const before = await getImport(db, goal.chat)
    const again = before !== undefined && before.ended_ms !== null
    if (!options.isDry && !again) await importChat(run, goal, counts, ready.owner, before)
    chats.push({ ...reportOf(goal, counts), again })
  }
  return { chats, left: left.counts }
}

const timeOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

const reportOf = ({ channel, chat }: Goal, counts: Staged): Omit<Imported, 'again'> => ({
  channel,
  chat,
  messages: counts.messages,
  people: counts.authors,
  with_wallet: counts.with_wallet,
  files: counts.files,
  reactions: counts.reactions,
  pins: counts.pins,
  first: timeOf(counts.first),
  last: timeOf(counts.last),
})

/** Counts what a channel has; throws where its chat has other messages. */
async function requireFree({ session, db, kind }: Run, { channel, chat }: Goal): Promise<Staged> {
  const counts = await countStaged(session, channel, kind)
  const before = await getImport(db, chat)
  if (before && before.digest !== counts.digest)
    throw new ImportError(
      `Something else was imported into ${chat}, or the same with other people: nothing is changed. Import into another chat.`,
    )
  if (!before && (await isUsed(db, chat)))
    throw new ImportError(
      `${chat} has messages of its own. An import goes into an empty chat only, so that all stay in the order of time.`,
    )
  if (counts.last !== null && counts.last > db.now())
    throw new ImportError(`The messages of ${channel} have times that cannot be: nothing was imported.`)
  return counts
}

/** This many messages share a commit. */
const partSize = 500

interface Row {
  k: number
  ms: number
  author: string
  body: string
  reply_k: number | null
  more: More | null
}

async function importChat(
  run: Run,
  goal: Goal,
  { messages: total, digest }: Staged,
  owner: string,
  before: Begun | undefined,
): Promise<void> {
  const { db, session, kind, config, onProgress = () => {} } = run
  const { chat, nftaddr, channel } = goal
  const first = before ? before.first_number : await begin(db, chat, { kind, digest, total })
  const target = { bucket: chatBucket(chat), chat, nftaddr, first_number: first, total }
  for (let done = before?.done ?? 0; done < total;) {
    run.signal?.throwIfAborted()
    const rows = await session.query<Row>(
      `select p.k, p.ms, p.author, p.body, q.k as reply_k, p.more
       from placed p left join placed q on q.channel = p.channel and q.ref = p.reply and q.k < p.k
       where p.channel = $1 and p.k > $2 order by p.k limit ${partSize}`,
      [channel, done],
    )
    const part: store.Placed[] = []
    for (const { more, ...row } of rows)
      part.push({ ...row, reactions: more?.reactions ?? [], files: await filesOf(run, target.bucket, more) })
    await store.storePart(db, target, done, part, config.search)
    done = part.at(-1)!.k
    onProgress(channel, done, total)
  }
  await finish(session, db, { ...target, channel, owner })
}

async function filesOf(
  { db, tree, config, leaveOut, ...rest }: Run,
  bucket: number,
  more: More | null,
): Promise<StoredBytes[]> {
  const found: StoredBytes[] = []
  for (const file of more?.files ?? []) {
    const stored = await storeBytes(
      {
        db,
        tree,
        fileStore: await openFileStore(config),
        hasScanner: config.clamdUrl !== undefined,
        fileSize: config.fileSize * mebibyte,
        ...rest,
      },
      bucket,
      file,
    )
    if (typeof stored === 'string') leaveOut(stored)
    else found.push(stored)
  }
  return found
}
