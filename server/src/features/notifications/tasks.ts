import { isBanned } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Job, Tasks } from '../../jobs/tasks.ts'
import { secretsOf } from '../../config/jwt-secret.ts'
import { verificationCode, verificationHashes } from '../../mail/confirmation-code.ts'
import { countMail } from '../../mail/hourly.ts'
import { whenToTell } from '../../messages/telling.ts'
import { accessMail, findUnmailed, noteMailed } from './access-mails.ts'
import { recordNotified, takeNews } from './message-mails.ts'
import { pushTasks } from './push-tasks.ts'
import { recipientOf } from './rules.ts'
import * as store from './store.ts'
import { dailySummary, dmMail, verificationMail, webhookMail } from './templates.ts'
import { telegramAnswers } from './telegram-send.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

export const tasks = {
  ...pushTasks,
  ...telegramAnswers,

  async 'send-verification-email'({ db, config, mailer }, { walletaddr, verification_id }, job) {
    const unconfirmed = await store.findUnconfirmed(db, walletaddr, verification_id)
    if (!unconfirmed) return
    const { email, hash } = unconfirmed
    // The secret may have changed since the mail was asked for.
    const code = secretsOf(config)
      .map((secret) => verificationCode(secret, verification_id))
      .find((made) => verificationHashes(config, email, made).some((other) => other.equals(hash)))
    if (!code) return
    const link = `${config.publicUrl}/v1/verify_email/${encodeURIComponent(email)}/${code}`
    await mailer.send(
      { ...verificationMail(walletaddr, link), to: email, id: mailId('verify', job) },
      job.signal,
    )
  },

  async 'send-dm-mail'(ctx, { toaddr }, job) {
    const { db, config, mailer } = ctx
    const when = whenToTell(await recipientOf(ctx, toaddr), db.now())
    if (when.tell === 'never') return
    if (when.tell === 'at') {
      const options = { runAt: new Date(when.at), key: `send-dm-mail ${toaddr}` }
      await enqueue(db, 'send-dm-mail', { toaddr }, options)
      return
    }
    const news = await takeNews(db, toaddr, job.id, config)
    if (!news) return
    if (news instanceof Date) {
      await enqueue(db, 'send-dm-mail', { toaddr }, { runAt: news, key: `send-dm-mail ${toaddr}` })
      return
    }
    const unsubscribe = unsubscribeUrl(config, 'notifydm', toaddr, news.email)
    const mail = dmMail(config.publicUrl, toaddr, news, unsubscribe)
    await mailer.send({ ...mail, to: news.email, id: mailId('dm', job) }, job.signal)
    await recordNotified(db, toaddr, news.upTo)
  },

  async 'send-access-mail'({ db, config, mailer }, { walletaddr }, job) {
    const email = await store.findEmailOf(db, walletaddr)
    if (email === undefined) return
    const { added, nextAt } = await findUnmailed(db, walletaddr)
    if (added.length === 0) return
    const wait = nextAt > db.now() ? nextAt : await countMail(db, 'notification', config.notificationMails)
    if (wait !== undefined) {
      const options = { runAt: new Date(wait), key: `send-access-mail ${walletaddr}` }
      await enqueue(db, 'send-access-mail', { walletaddr }, options)
      return
    }
    const kinds = added.map(({ action }) => action)
    const mail = accessMail(config.publicUrl, walletaddr, kinds)
    await mailer.send({ ...mail, to: email, id: mailId('access', job) }, job.signal)
    await noteMailed(db, walletaddr, added.at(-1)!.id)
  },

  async 'send-webhook-mail'({ db, config, mailer }, { walletaddr, url }, job) {
    const email = await store.findEmailOf(db, walletaddr)
    if (email === undefined) return
    await mailer.send(
      { ...webhookMail(config.publicUrl, walletaddr, url), to: email, id: mailId('webhook', job) },
      job.signal,
    )
  },

  // Spec gap: the summary comes at 8:00 UTC, and not when there is nothing unread.
  async 'send-daily-summaries'({ db }, { _cron }) {
    const day = (_cron?.ts ?? new Date().toISOString()).slice(0, 10)
    for (let after: string | null = ''; after !== null;) after = await store.queueSummaries(db, after, day)
  },

  async 'send-daily-summary'(ctx, { walletaddr }, job) {
    const { db, config, gate, mailer, standing } = ctx
    if (isBanned(standing, walletaddr)) return
    const summary = await store.findSummary(db, gate, walletaddr, config.dmDefault)
    if (!summary || summary.messages.unread + summary.chats.unread === 0) return
    const full = await countMail(db, 'notification', config.notificationMails)
    if (full !== undefined) {
      const key = `send-daily-summary ${walletaddr}`
      await enqueue(db, 'send-daily-summary', { walletaddr }, { runAt: new Date(full), key })
      return
    }
    const unsubscribe = unsubscribeUrl(config, 'notify24', walletaddr, summary.email)
    const mail = dailySummary(config.publicUrl, walletaddr, summary, unsubscribe)
    await mailer.send({ ...mail, to: summary.email, id: mailId('daily', job) }, job.signal)
  },
} satisfies Partial<Tasks<Context>>

/** Part of the Message-ID: a mail that is tried again keeps it, and no other job ever has it. */
const mailId = (kind: string, { id, createdAt }: Job) => `${kind}.${id}.${createdAt.getTime()}`
