// An announcement notifies those members of a chat who agreed to that. The job `announce` goes through them in portions and adds a
// `notify` for each whom a channel reaches; notify.ts decides about each at that moment. A portion is one transaction with the
// position after it, so a job that was killed goes on there. The next portion waits until the jobs of the last one are done, and
// all of them wait for the notifications of others.

import type { NotificationRules } from '@parley/sdk/contract/notification-rules.ts'
import type { FileItem } from '@parley/sdk/contract/files.ts'
import { signedName } from '../../auth/claims.ts'
import { mayPublish } from '../../auth/publishing.ts'
import { closingOf, mayNotAnnounce, takedownOf } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { enqueue, enqueueEach } from '../../jobs/queue.ts'
import type { AnnouncedPost } from '../../jobs/tasks.ts'
import { chatPath } from '../../messages/chat-path.ts'
import { chatTitle, shortTitle } from '../../messages/chat-title.ts'
import { getSide, isChatMuted } from '../../messages/consent.ts'
import type { AnnouncementFacts, Reason } from '../../messages/notification-policy.ts'
import { nameOf } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'
import { communityOf } from '../../values/chat.ts'
import { shortAddress } from '../../values/short-address.ts'
import { reachedBy } from './channel.ts'
import { announcementChannels } from './channels.ts'
import { previewOf, type Push, tagOf } from './push-content.ts'
import { stopUrl } from './stop-links.ts'

/** Of the due jobs those with a lower number are done first: all others have 0, and pushes about chats 10. */
export const announcePriority = { notification: 15, portion: 20 }

/** The number of wallets in a portion. */
const portion = 200

interface Post {
  fromaddr: string
  name: string
  message: string
  files: FileItem[] | null
  ms: number
  nftaddr: string
  title: string
  isCommunity: boolean
}

interface Announced extends AnnouncementFacts {
  post: Post
  /** This is true when the recipient is notified about every post of the chat anyway. */
  everyPost: boolean
}

const postOf = `
  select m.fromaddr, ${nameOf('m.fromaddr')} as name, left(m.message, 4096) as message, m.files, m.ms, c.nftaddr,
    ${chatTitle('$1')} as title, c.context_type = 'community' as "isCommunity"
  from group_messages m join group_chats c on c.bucket = $1 and c.chat = $2
  where m.bucket = $1 and m.chat = $2 and m.id = $3 and m.removed_by is null and m.marks & 128 <> 0`

/** Returns the post while it may be announced: it is there, and no operator has stopped its author or its chat. */
async function findPost(
  { db, standing }: Pick<Context, 'db' | 'standing'>,
  { announcement, of }: AnnouncedPost,
): Promise<Post | undefined> {
  if (mayNotAnnounce(standing, of) || takedownOf(standing, of) || closingOf(standing, of)) return undefined
  const [post] = await db.query<Post>(postOf, [chatBucket(of), of, announcement])
  const publishing = post && mayPublish(standing, post.fromaddr)
  return publishing && !publishing.isUnseen ? post : undefined
}

/** Returns what an announcement is for a wallet; undefined when it may no longer be announced. */
export async function findAnnounced(
  ctx: Pick<Context, 'db' | 'gate' | 'standing'>,
  wallet: string,
  about: AnnouncedPost,
): Promise<Announced | undefined> {
  const { db, gate } = ctx
  const { announcement, of } = about
  const post = await findPost(ctx, about)
  if (!post) return undefined
  const [[visit], muted, { blocked }, closed] = await Promise.all([
    db.query<{ joined: boolean; agreed: boolean; everyPost: boolean; seen_id: number }>(
      `select joined, announcements as agreed, tell_all as "everyPost", seen_id from group_visits
       where bucket = $1 and chat = $2 and walletaddr = $3`,
      [chatBucket(of), of, wallet],
    ),
    isChatMuted(db, wallet, of),
    getSide(db, wallet, post.fromaddr),
    gate.closedTo(wallet, [of]),
  ])
  // The job is retried: it is not known yet who holds a token.
  if (closed.length > 0 && !gate.isSettled(of, wallet))
    throw new Error('the chain has not said yet who may read a chat')
  const { joined = false, agreed = false, everyPost = false, seen_id = 0 } = visit ?? {}
  const facts = { joined, agreed, muted, blocked, closed: closed.length > 0 }
  return { about: 'announcement', ...facts, unread: seen_id < announcement ? 1 : 0, everyPost, post }
}

/** Writes the notification about an announcement. */
export function announcementPush(
  ctx: Pick<Context, 'config' | 'officials' | 'standing'> & Parameters<typeof signedName>[0],
  wallet: string,
  { of }: AnnouncedPost,
  { post }: Announced,
  preview: NotificationRules['preview'],
  badge: number,
): Push {
  const { config } = ctx
  const { fromaddr, message, files, ms } = post
  const who = signedName(ctx, fromaddr, post.name) || shortAddress(fromaddr)
  const text =
    preview === 'text' ? `${who}: ${previewOf(config, message, files)}` : `${who} announces something`
  return {
    v: 1,
    kind: 'announcement',
    title: preview === 'none' ? 'Parley' : shortTitle(post),
    body: preview === 'none' ? 'New announcement' : text,
    tag: tagOf(config, [wallet, 'announcement', of].join(' ')),
    url: chatPath(post),
    badge,
    at: ms,
    stop: stopUrl(config, wallet, of),
  }
}

/** What became of an announcement for a wallet: a column of its row. */
type Outcome = 'reached' | 'no_channel' | 'gone' | 'muted' | 'had_read'

const outcomes: { readonly [Name in Reason]?: Outcome } = {
  muted: 'muted',
  blocked: 'muted',
  'quiet hours': 'muted',
  read: 'had_read',
}
export const outcomeOf = (reason: Reason): Outcome => outcomes[reason] ?? 'gone'

/** Counts a wallet, in the transaction that decides about it: so it is counted once. */
export const countOutcome = (tx: Db, { announcement, of }: AnnouncedPost, outcome: Outcome) =>
  tx.query(
    `update announcements set ${outcome} = ${outcome} + 1 where bucket = $1 and community = $2 and item_id = $3`,
    [chatBucket(of), communityOf(of), announcement],
  )

/** Does the next portion of an announcement, and adds the job for the one after it. */
export async function announcePortion(ctx: Context, about: AnnouncedPost): Promise<void> {
  const { announcement, of } = about
  const post = await findPost(ctx, about)
  const key = [chatBucket(of), communityOf(of), announcement]
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx.query<{ up_to: string }>(
      'select up_to from announcements where bucket = $1 and community = $2 and item_id = $3 and ended_ms is null for update',
      key,
    )
    if (!row) return
    if (!post) {
      await tx.query(
        'update announcements set ended_ms = $4, stopped = true where bucket = $1 and community = $2 and item_id = $3',
        [...key, tx.now()],
      )
      return
    }
    const page = await tx.query<{ walletaddr: string }>(nextAgreed, [chatBucket(of), of, row.up_to])
    const wallets = page.map(({ walletaddr }) => walletaddr)
    const others = wallets.filter((wallet) => wallet !== post.fromaddr)
    const reached = await tx.query<{ walletaddr: string }>(haveChannel, [others])
    await tx.query(enqueueNotified, [
      reached.map(({ walletaddr }) => walletaddr),
      announcement,
      of,
      new Date(tx.now()),
    ])
    const isLast = wallets.length < portion
    await tx.query(movePortion, [
      ...key,
      wallets.at(-1) ?? row.up_to,
      others.length,
      others.length - reached.length,
      isLast ? tx.now() : null,
    ])
    if (!isLast)
      await enqueue(tx, 'announce', about, {
        key: `announce ${announcement}`,
        priority: announcePriority.portion,
      })
  })
}

const nextAgreed = `
  select walletaddr from group_visits
  where bucket = $1 and chat = $2 and joined and announcements and walletaddr > $3 order by walletaddr limit ${portion}`

const haveChannel = reachedBy(announcementChannels, {
  columns: 'w.walletaddr',
  from: 'unnest($1::text[]) as w (walletaddr)',
  wallet: 'w.walletaddr',
})

const enqueueNotified = enqueueEach(
  'notify',
  `json_build_object('walletaddr', walletaddr, 'subject', json_build_object('announcement', $2::bigint, 'of', $3::text))`,
  `'notify ' || walletaddr || ' announcement ' || $3::text`,
  'select walletaddr from unnest($1::text[]) as w (walletaddr)',
  { runAt: '$4', priority: announcePriority.notification },
)

const movePortion = `
  update announcements set up_to = $4, agreed = agreed + $5, no_channel = no_channel + $6, ended_ms = $7
  where bucket = $1 and community = $2 and item_id = $3`
