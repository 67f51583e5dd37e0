// The jobs of pushes. `tell-message` runs for a conversation some seconds after a message: it decides, and adds a `send-push` for
// each browser. What falls into quiet hours is told once at their end (`tell-held`).

import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Tasks } from '../../jobs/tasks.ts'
import { walletBucket } from '../../values/bucket.ts'
import { decide, whenToTell } from './decide.ts'
import { countUnreadOf, findConversation, messagePush, summaryPush } from './push-content.ts'
import { sendPush } from './push-service.ts'
import { getRules } from './rules.ts'
import { deleteSubscription, findSubscription, findSubscriptions, noteAnswer } from './subscriptions.ts'

/** Milliseconds between two pushes about one conversation. */
const pause = 30_000
/** After so many milliseconds a push is no news. */
const newsFor = 6 * 3_600_000
const day = 86_400_000

type PushTask = 'tell-message' | 'tell-held' | 'send-push'

export const pushTasks: Pick<Tasks<Context>, PushTask> = {
  async 'tell-message'({ db, config }, { toaddr, fromaddr }) {
    const [found, rules] = [
      await findConversation(db, toaddr, fromaddr, config.dmDefault),
      await getRules(db, toaddr),
    ]
    if (!found) return
    const decision = decide(found, rules, 'push', db.now())
    if (decision.tell === 'never') return
    const key = `tell-message ${toaddr} ${fromaddr}`
    await db.transaction(async (tx) => {
      const mark = await lockMark(tx, toaddr, fromaddr)
      if (found.newest <= mark.told_id) return
      if (decision.tell === 'at') {
        const options = { runAt: new Date(decision.at), key: `tell-held ${toaddr}` }
        await enqueue(tx, 'tell-held', { walletaddr: toaddr }, options)
      } else if (mark.told_ms + pause > tx.now()) {
        const options = { runAt: new Date(mark.told_ms + pause), key }
        await enqueue(tx, 'tell-message', { toaddr, fromaddr }, options)
        return
      } else await enqueuePushes(tx, toaddr, fromaddr)
      await setMark(tx, toaddr, fromaddr, found.newest)
    })
  },

  async 'tell-held'({ db }, { walletaddr }) {
    const when = whenToTell(await getRules(db, walletaddr), db.now())
    // The hours have changed meanwhile.
    if (when.tell === 'at') {
      const options = { runAt: new Date(when.at), key: `tell-held ${walletaddr}` }
      await enqueue(db, 'tell-held', { walletaddr }, options)
    } else await enqueuePushes(db, walletaddr, null)
  },

  async 'send-push'({ db, config, log }, { walletaddr, subscription, about, small }, job) {
    // A push of yesterday is noise.
    if (db.now() - job.createdAt.getTime() > newsFor) return
    const browser = await findSubscription(db, walletaddr, subscription)
    const push = browser && (await pushAbout({ db, config }, walletaddr, about, small))
    if (!push) return
    const { status, outcome, retryAfter } = await sendPush({ db, config }, browser, push)
    if (outcome === 'gone') await deleteSubscription(db, walletaddr, subscription)
    else await noteAnswer(db, walletaddr, subscription, status)
    const again = (runAt: number, more: object) =>
      enqueue(db, 'send-push', { walletaddr, subscription, about, ...more }, { runAt: new Date(runAt) })
    if (outcome === 'too large' && !small) await again(db.now(), { small: true })
    else if (outcome === 'refused') log.warn({ status }, 'a push service has refused a push')
    else if (outcome === 'later')
      throw new Error(`the push service answers ${status}${retryAfter ? `, again in ${retryAfter} s` : ''}`)
  },
}

/** What a push says now; undefined when there is nothing to tell any more. */
async function pushAbout(
  { db, config }: Pick<Context, 'db' | 'config'>,
  wallet: string,
  about: string | null,
  small: true | undefined,
) {
  const unread = await countUnreadOf(db, wallet, config.dmDefault)
  if (about === null) return unread.messages === 0 ? undefined : summaryPush(config, wallet, unread, db.now())
  const [found, rules] = [
    await findConversation(db, wallet, about, config.dmDefault),
    await getRules(db, wallet),
  ]
  if (!found || decide(found, rules, 'push', db.now()).tell === 'never') return undefined
  const preview = small && rules.preview === 'text' ? 'name' : rules.preview
  return messagePush(config, wallet, found, preview, unread.messages)
}

async function enqueuePushes(tx: Db, walletaddr: string, about: string | null): Promise<void> {
  for (const { id } of await findSubscriptions(tx, walletaddr)) {
    const key = `send-push ${id} ${about ?? ''}`
    await enqueue(tx, 'send-push', { walletaddr, subscription: id, about }, { key })
  }
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
