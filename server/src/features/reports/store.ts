import { type Evidence, mostOwnReports, openReportDays, type Report } from '@parley/sdk/contract/reports.ts'
import type { Db } from '../../db/pool.ts'
import { day } from '../../lib/times.ts'
import { erasedBy, notHiddenFrom } from '../../messages/shared-sql.ts'
import { bucketOfId } from '../../values/bucket.ts'
import type { StoredMessage } from './disclosed.ts'
import { listed, merge } from './evidence.ts'

/** Selects what stood in a message `m` in the clear before it was edited, as its readers see it. */
const earlier = `(
  select json_agg(e.v->>'message' order by (e.v->>'rev')::integer) from jsonb_array_elements(m.edits) as e (v)
  where not e.v ? 'own' and not e.v ? 'encrypted_sym_x_key') as earlier`

/** Selects the files of a message `m` that are not sealed, in its order, with the hash by which an operator can block each. */
const clearFiles = (bucket: string) => `(
  select json_agg(json_strip_nulls(json_build_object(
    'id', f.id, 'sha256', encode(f.sha256, 'hex'), 'name', f.name, 'type', f.type, 'size', f.size
  )) order by strpos(m.files::text, f.id))
  from files f where f.bucket = ${bucket} and f.item_id = m.id and not f.sealed) as clear_files`

interface Found {
  id: number
  fromaddr: string
  ms: number
  earlier: string[] | null
  clear_files: Evidence['clear_files'] | null
}
export type FoundMessage = Found & StoredMessage
export type FoundPost = Found & { nftaddr: string; message: string }

/** Returns a direct message that a wallet is an end of, and has neither erased nor hidden. */
export async function findMessage(db: Db, reader: string, id: number): Promise<FoundMessage | undefined> {
  const [row] = await db.query<FoundMessage>(
    `select m.id, m.fromaddr, m.toaddr, m.message, m.nftaddr, m.nftid, m.encrypted_sym_x_key, m.x_access_conditions, m.ms,
       ${earlier}, ${clearFiles('$2')}
     from direct_messages m join conversations c
       on c.bucket = m.bucket and c.id = m.conversation_id and m.id > ${erasedBy('$1')}
     where m.bucket = $2 and m.id = $3 and $1 in (m.fromaddr, m.toaddr) and ${notHiddenFrom('$1')}`,
    [reader, bucketOfId(id), id],
  )
  return row
}

/** Returns a post that is not removed; the right to read its chat is checked before it is disclosed. */
export async function findPost(db: Db, id: number): Promise<FoundPost | undefined> {
  const [row] = await db.query<FoundPost>(
    `select m.id, m.fromaddr, m.message, m.ms, c.nftaddr, ${earlier}, ${clearFiles('$1')}
     from group_messages m join group_chats c on c.bucket = m.bucket and c.chat = m.chat
     where m.bucket = $1 and m.id = $2 and m.removed_by is null`,
    [bucketOfId(id), id],
  )
  return row
}

interface Row {
  id: number
  ms: number
  subject: string
  reason: Report['reason']
  text: string | null
  status: string
  items: Report['items']
}

const columns = 'id, ms, subject, reason, text, status, items'

const reportOf = ({ id, ms, subject, reason, text, status, items }: Row): Report => ({
  id,
  at: new Date(ms).toISOString(),
  subject,
  reason,
  ...(text !== null && { text }),
  status: status === 'closed' ? 'closed' : 'open',
  items,
})

export interface NewReport {
  reporter: string
  subject: string
  isChat: boolean
  reason: Report['reason']
  text: string | undefined
  weight: number
  evidence: Evidence[]
}

const openLifetime = openReportDays * day

/**
 * Stores a report. A report about the same wallet or chat on the same day gets the messages that it does not have yet, as long as
 * there is room; if there are any, it is open again. Returns whether anything was stored.
 */
export const insertReport = (db: Db, report: NewReport): Promise<{ report: Report; isChanged: boolean }> =>
  db.transaction(async (tx) => {
    const { reporter, subject, isChat, reason, text, weight, evidence } = report
    const now = tx.now()
    const once = [reporter, subject, Math.floor(now / day)]
    const [added] = await tx.query<Row>(
      `insert into reports (reporter, subject, day, is_chat, reason, text, weight, ms, expires_ms, evidence, items, messages, direct_ids)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       on conflict (reporter, subject, day) do nothing returning ${columns}`,
      [...once, isChat, reason, text, weight, now, now + openLifetime, ...stored(evidence)],
    )
    if (added) return { report: reportOf(added), isChanged: true }
    const [first] = await tx.query<Row & { evidence?: string }>(
      `select ${columns} ${evidence.length > 0 ? ', evidence' : ''} from reports where reporter = $1 and subject = $2 and day = $3 for update`,
      once,
    )
    // The copies of an earlier report are read only where others join them: they may have hundreds of kilobytes.
    if (!first?.evidence) return { report: reportOf(first!), isChanged: false }
    const merged = stored(merge(JSON.parse(first.evidence) as Evidence[], evidence))
    if (merged[0] === first.evidence) return { report: reportOf(first), isChanged: false }
    const [extended] = await tx.query<Row>(
      `update reports set evidence = $3, items = $4, messages = $5, direct_ids = $6, expires_ms = $2,
         status = case when status = 'closed' then 'open' else status end
       where id = $1 returning ${columns}`,
      [first.id, now + openLifetime, ...merged],
    )
    return { report: reportOf(extended!), isChanged: true }
  })

/** Returns the columns evidence, items, messages and direct_ids. */
function stored(evidence: Evidence[]) {
  const { items, direct } = listed(evidence)
  return [JSON.stringify(evidence), JSON.stringify(items), items.length, direct] as const
}

export async function findReports(db: Db, reporter: string): Promise<Report[]> {
  const rows = await db.query<Row>(
    `select ${columns} from reports where reporter = $1 order by id desc limit ${mostOwnReports}`,
    [reporter],
  )
  return rows.map(reportOf)
}

/** Deletes reports that were closed, or whose reporter was erased, some time ago; and those that nobody has closed in a year. */
export const deleteOldReports = (db: Db) => db.query('delete from reports where expires_ms < $1', [db.now()])
