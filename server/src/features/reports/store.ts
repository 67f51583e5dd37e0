import type { Evidence, Report } from '@parley/sdk/contract/reports.ts'
import type { Db } from '../../db/pool.ts'
import { changing } from '../../messages/changing.ts'
import { eventJson } from '../../messages/events.ts'
import { erasedBy, notHiddenFrom } from '../../messages/shared-sql.ts'
import { bucketOfId, pairBucket, walletBucket } from '../../values/bucket.ts'
import type { StoredMessage } from './disclosed.ts'

interface Found {
  id: number
  fromaddr: string
  ms: number
}
export type FoundMessage = Found & StoredMessage
export type FoundPost = Found & { nftaddr: string; message: string }

/** A direct message that a wallet is an end of, and has neither erased nor hidden. */
export async function findMessage(db: Db, reader: string, id: number): Promise<FoundMessage | undefined> {
  const [row] = await db.query<FoundMessage>(
    `select m.id, m.fromaddr, m.toaddr, m.message, m.nftaddr, m.nftid, m.encrypted_sym_x_key, m.x_access_conditions, m.ms
     from direct_messages m join conversations c
       on c.bucket = m.bucket and c.id = m.conversation_id and m.id > ${erasedBy('$1')}
     where m.bucket = $2 and m.id = $3 and $1 in (m.fromaddr, m.toaddr) and ${notHiddenFrom('$1')}`,
    [reader, bucketOfId(id), id],
  )
  return row
}

/** A post that is not removed; who may read its chat is asked before it is disclosed. */
export async function findPost(db: Db, id: number): Promise<FoundPost | undefined> {
  const [row] = await db.query<FoundPost>(
    `select m.id, m.fromaddr, m.message, m.ms, c.nftaddr
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
  evidence: string
}

const columns = 'id, ms, subject, reason, text, status, evidence'

const reportOf = ({ id, ms, subject, reason, text, status, evidence }: Row): Report => ({
  id,
  at: new Date(ms).toISOString(),
  subject,
  reason,
  ...(text !== null && { text }),
  status: status === 'closed' ? 'closed' : 'open',
  items: (JSON.parse(evidence) as Evidence[]).map(({ id: item, proof }) => ({ id: item, proof })),
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

const day = 86_400_000
const mostMessages = 20

/**
 * Stores a report. One of the same wallet or chat on the same day gets the messages that it does not
 * have yet, as long as there is room; if there are any, it is open again.
 */
export const insertReport = (db: Db, report: NewReport): Promise<Report> =>
  db.transaction(async (tx) => {
    const { reporter, subject, isChat, reason, text, weight, evidence } = report
    const now = tx.now()
    const once = [reporter, subject, Math.floor(now / day)]
    const [added] = await tx.query<Row>(
      `insert into reports (reporter, subject, day, is_chat, reason, text, weight, evidence, ms)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (reporter, subject, day) do nothing returning ${columns}`,
      [...once, isChat, reason, text, weight, JSON.stringify(evidence), now],
    )
    if (added) return reportOf(added)
    const [first] = await tx.query<Row>(
      `select ${columns} from reports where reporter = $1 and subject = $2 and day = $3 for update`,
      once,
    )
    const merged = JSON.stringify(merge(JSON.parse(first!.evidence) as Evidence[], evidence))
    if (merged === first!.evidence) return reportOf(first!)
    const [extended] = await tx.query<Row>(
      `update reports set evidence = $2, expires_ms = null, status = case when status = 'closed' then 'open' else status end
       where id = $1 returning ${columns}`,
      [first!.id, merged],
    )
    return reportOf(extended!)
  })

/** A message that is opened now takes the place of the same one that was sealed. */
function merge(before: Evidence[], now: Evidence[]): Evidence[] {
  const byId = new Map(before.map((one) => [one.id, one]))
  for (const one of now)
    if ((byId.has(one.id) || byId.size < mostMessages) && byId.get(one.id)?.message === undefined)
      byId.set(one.id, one)
  return [...byId.values()]
}

export async function findReports(db: Db, reporter: string): Promise<Report[]> {
  const rows = await db.query<Row>(
    `select ${columns} from reports where reporter = $1 order by id desc limit 100`,
    [reporter],
  )
  return rows.map(reportOf)
}

/** Blocks a wallet; not when the wallet has as many contacts as it may have. Answers whether it did. */
export async function block(db: Db, wallet: string, peer: string, most: number): Promise<boolean> {
  const [a, b] = [pairBucket(wallet, peer), walletBucket(wallet)]
  const blocking = db.query(
    `select blocked from set_contact_v1($1, $2, $3, $4, $5, null::smallint, true, false, null, false, null, $6, $7)`,
    [
      db.now(),
      a,
      b,
      wallet,
      peer,
      most,
      // The function says what they are now.
      eventJson({ type: 'contact', peer, state: 'unknown', muted_until: null }),
    ],
  )
  return (await changing(db, [wallet, peer], blocking)).length > 0
}

/** Reports that were closed, or whose reporter was erased, some time ago. */
export const deleteOldReports = (db: Db) => db.query('delete from reports where expires_ms < $1', [db.now()])
