// The jobs of pushes. `tell-message` and `tell-post` run for a conversation or chat some seconds after a message: they decide, and
// add a `send-push` for each browser, and a `send-telegram` where a chat of Telegram is linked. Direct messages that fall into quiet
// hours are told once at their end (`tell-held`).

import { isBanned } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Payloads, Tasks } from '../../jobs/tasks.ts'
import { walletBucket } from '../../values/bucket.ts'
import { chatPush, findUnreadChat } from './chats.ts'
import { type Decision, decide, decideChat, whenToTell } from '../../messages/telling.ts'
import { countUnreadOf, findConversation, messagePush, summaryPush } from './push-content.ts'
import { sendPush } from './push-service.ts'
import { getRules, recipientOf } from './rules.ts'
import { deleteSubscription, findSubscription, findSubscriptions, noteAnswer } from './subscriptions.ts'
import { enqueueTelegram, noticeOf, sendInTurn } from './telegram-send.ts'
import { getLink } from './telegram-store.ts'

/** Milliseconds between two pushes about one conversation. */
const pause = 30_000
/** After so many milliseconds a push is no news. */
const newsFor = 6 * 3_600_000
const day = 86_400_000

type PushTask = 'tell-message' | 'tell-post' | 'tell-held' | 'send-push' | 'send-telegram'

export const pushTasks: Pick<Tasks<Context>, PushTask> = {
  async 'tell-message'(ctx, { toaddr, fromaddr }) {
    const { db, config } = ctx
    const [found, rules] = [
      await findConversation(db, toaddr, fromaddr, config.dmDefault),
      await recipientOf(ctx, toaddr),
    ]
    if (!found) return
    const decision = decide(found, rules, 'push', db.now())
    const again = (tx: Db, at: number) =>
      enqueue(tx, 'tell-message', { toaddr, fromaddr }, due(at, `tell-message ${toaddr} ${fromaddr}`))
    const hold = (tx: Db, at: number) =>
      enqueue(tx, 'tell-held', { walletaddr: toaddr }, due(at, `tell-held ${toaddr}`))
    await tellOnce(ctx, toaddr, { about: fromaddr }, found.newest, decision, { again, hold })
  },

  async 'tell-post'(ctx, { walletaddr, chat }) {
    const [found, rules] = [await findUnreadChat(ctx, walletaddr, chat), await recipientOf(ctx, walletaddr)]
    if (!found) return
    const decision = decideChat(found, rules, ctx.db.now())
    const wantsAll = found.tellAll && rules.push.chats !== false
    const newest = wantsAll ? found.newest : found.newestMention
    const again = (tx: Db, at: number) =>
      enqueue(tx, 'tell-post', { walletaddr, chat }, due(at, `tell-post ${walletaddr} ${chat}`))
    // Quiet hours: each chat is told of at their end.
    if (decision.tell === 'at') await again(ctx.db, decision.at)
    else await tellOnce(ctx, walletaddr, { about: null, chat }, newest, decision, { again, hold: again })
  },

  async 'tell-held'(ctx, { walletaddr }) {
    const { db, config } = ctx
    const when = whenToTell(await recipientOf(ctx, walletaddr), db.now())
    if (when.tell === 'at')
      await enqueue(db, 'tell-held', { walletaddr }, due(when.at, `tell-held ${walletaddr}`))
    else if (when.tell === 'now' || when.because !== 'banned')
      await enqueueAll(db, config, walletaddr, { about: null })
  },

  async 'send-push'(ctx, payload, job) {
    const { db, config, log } = ctx
    const { walletaddr, subscription, small, since = job.createdAt.getTime() } = payload
    const isNews = (at: number) => at - since <= newsFor
    if (!isNews(db.now())) return
    const browser = await findSubscription(db, walletaddr, subscription)
    const push = browser && (await pushAbout(ctx, payload))
    if (!push) return
    const { status, outcome, retryAfter } = await sendPush({ db, config }, browser, push)
    if (outcome === 'gone') await deleteSubscription(db, walletaddr, subscription)
    else await noteAnswer(db, walletaddr, subscription, status)
    const again = (at: number, more: object) =>
      enqueue(db, 'send-push', { ...payload, since, ...more }, due(at, keyOf(payload)))
    if (outcome === 'too large' && !small) await again(db.now(), { small: true })
    else if (outcome === 'refused') log.warn({ status }, 'a push service has refused a push')
    else if (outcome === 'later') {
      if (retryAfter === undefined) throw new Error(`the push service answers ${status}`)
      const at = db.now() + retryAfter * 1000
      if (isNews(at)) await again(at, {})
    }
  },

  async 'send-telegram'(ctx, payload, job) {
    const { db, config } = ctx
    const { walletaddr, since = job.createdAt.getTime() } = payload
    const link = await getLink(db, walletaddr)
    if (!link) return
    await sendInTurn(ctx, {
      chatId: link.chat_id,
      since,
      // As what is small: never a text.
      async text() {
        const push = await pushAbout(ctx, { ...payload, small: true })
        const { preview } = await getRules(db, walletaddr)
        return push && noticeOf(config.publicUrl, push, preview !== 'none')
      },
      again: (at) => enqueueTelegram(db, link.chat_id, { ...payload, since }, at),
    })
  },
}

const due = (at: number, key: string) => ({ runAt: new Date(at), key })

/** What a push is about: a peer, a chat, or all that is unread. */
type Subject = Pick<Payloads['send-push'], 'about' | 'chat'>

/** Tells what is new about a conversation, or sees to it that it is told later. */
async function tellOnce(
  { db, config }: Pick<Context, 'db' | 'config'>,
  wallet: string,
  subject: Subject,
  newest: number,
  decision: Decision,
  later: Record<'again' | 'hold', (tx: Db, at: number) => Promise<unknown>>,
): Promise<void> {
  if (decision.tell === 'never') return
  // No address has a space.
  const about = subject.about ?? `chat ${subject.chat}`
  await db.transaction(async (tx) => {
    const mark = await lockMark(tx, wallet, about)
    if (newest <= mark.told_id) return
    if (decision.tell === 'at') await later.hold(tx, decision.at)
    else if (mark.told_ms + pause > tx.now()) {
      await later.again(tx, mark.told_ms + pause)
      return
    } else await enqueueAll(tx, config, wallet, subject)
    await setMark(tx, wallet, about, newest)
  })
}

/** What a push says now; undefined when there is nothing to tell any more. */
async function pushAbout(
  ctx: Context,
  { walletaddr, about, chat, small }: Omit<Payloads['send-push'], 'subscription'>,
) {
  const { db, config } = ctx
  // It adds up all conversations: only for what is told.
  const countUnread = () => countUnreadOf(db, walletaddr, config.dmDefault)
  if (about === null && chat === undefined) {
    if (isBanned(ctx.standing, walletaddr)) return undefined
    const unread = await countUnread()
    return unread.messages === 0 ? undefined : summaryPush(config, walletaddr, unread, db.now())
  }
  const rules = await recipientOf(ctx, walletaddr)
  const preview = small && rules.preview === 'text' ? 'name' : rules.preview
  if (about === null) {
    const found = await findUnreadChat(ctx, walletaddr, chat!)
    if (!found || decideChat(found, rules, db.now()).tell === 'never') return undefined
    return chatPush(config, walletaddr, chat!, found, preview, (await countUnread()).messages)
  }
  const found = await findConversation(db, walletaddr, about, config.dmDefault)
  if (!found || decide(found, rules, 'push', db.now()).tell === 'never') return undefined
  return messagePush(config, walletaddr, found, preview, (await countUnread()).messages)
}

const keyOf = ({ subscription, about, chat }: Omit<Payloads['send-push'], 'walletaddr'>) =>
  `send-push ${subscription} ${chat === undefined ? (about ?? '') : `chat ${chat}`}`

async function enqueueAll(
  tx: Db,
  { telegramBotToken }: Pick<Context['config'], 'telegramBotToken'>,
  walletaddr: string,
  subject: Subject,
): Promise<void> {
  for (const { id: subscription } of await findSubscriptions(tx, walletaddr)) {
    const payload = { walletaddr, subscription, ...subject }
    await enqueue(tx, 'send-push', payload, { key: keyOf(payload) })
  }
  const link = telegramBotToken === undefined ? undefined : await getLink(tx, walletaddr)
  if (link) await enqueueTelegram(tx, link.chat_id, { walletaddr, ...subject })
}

interface Mark {
  told_id: number
  told_ms: number
}

/** Up to where a wallet was told of a peer. The row is locked until the transaction ends. */
async function lockMark(tx: Db, wallet: string, peer: string): Promise<Mark> {
  const [mark] = await tx.query<Mark>(
    `insert into push_marks (wbucket, walletaddr, peer, told_id, told_ms) values ($1, $2, $3, 0, 0)
     on conflict (wbucket, walletaddr, peer) do update set peer = excluded.peer returning told_id, told_ms`,
    [walletBucket(wallet), wallet, peer],
  )
  return mark!
}

const setMark = (tx: Db, wallet: string, peer: string, id: number) =>
  tx.query(
    'update push_marks set told_id = $4, told_ms = $5 where wbucket = $1 and walletaddr = $2 and peer = $3',
    [walletBucket(wallet), wallet, peer, id, tx.now()],
  )

/** Deletes marks that no longer matter: what is older is no news. */
export const deleteOldPushMarks = (db: Db) =>
  db.query('delete from push_marks where told_ms < $1', [db.now() - 2 * day])
