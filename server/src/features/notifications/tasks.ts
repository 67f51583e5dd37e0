import { signOf } from '../../auth/claims.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Tasks } from '../../jobs/tasks.ts'
import { secretsOf } from '../../config/jwt-secret.ts'
import { verificationCode, verificationHashes } from '../../mail/confirmation-code.ts'
import { countMail } from '../../mail/hourly.ts'
import { decide, everything } from '../../messages/notification-policy.ts'
import { accessMail, findUnmailed, lastMail, noteMailed } from './access-mails.ts'
import { announcePortion } from './announcement.ts'
import { sendDigest } from './digest.ts'
import { mail, mailId } from './mail-channel.ts'
import { notifyTasks } from './notify.ts'
import { recipientOf } from './rules.ts'
import * as store from './store.ts'
import { dailySummary, verificationMail, webhookMail } from './templates.ts'
import { telegramTasks } from './telegram-answers.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

export const tasks = {
  ...notifyTasks,
  ...telegramTasks,

  announce: announcePortion,

  async 'send-verification-email'({ db, config, mailer }, { walletaddr, verification_id }, job) {
    const unconfirmed = await store.findUnconfirmed(db, walletaddr, verification_id)
    if (!unconfirmed) return
    const { email, hash } = unconfirmed
    // The secret may have changed since the mail was requested.
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

  'send-dm-mail': (ctx, { toaddr }, job) => sendDigest(ctx, mail, toaddr, job),

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
    const draft = accessMail(config.publicUrl, walletaddr, kinds)
    await mailer.send({ ...draft, to: email, id: mailId('access', job) }, job.signal)
    await noteMailed(db, walletaddr, added.at(-1)!.id)
  },

  async 'send-last-mail'({ db, config, mailer }, { walletaddr, email }, job) {
    const full = await countMail(db, 'notification', config.notificationMails)
    if (full !== undefined) {
      await enqueue(db, 'send-last-mail', { walletaddr, email }, { runAt: new Date(full) })
      return
    }
    const { added } = await findUnmailed(db, walletaddr)
    const kinds = added.map(({ action }) => action)
    const draft = lastMail(config.publicUrl, walletaddr, kinds)
    await mailer.send({ ...draft, to: email, id: mailId('last', job) }, job.signal)
    if (added.length > 0) await noteMailed(db, walletaddr, added.at(-1)!.id)
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
    const { db, config, mailer } = ctx
    const recipient = await recipientOf(ctx, walletaddr)
    if (decide(everything, recipient, 'summary', db.now()).notify === 'never') return
    const summary = await store.findSummary(ctx, walletaddr, recipient)
    if (!summary || summary.messages.unread + summary.chats.unread === 0) return
    const full = await countMail(db, 'notification', config.notificationMails)
    if (full !== undefined) {
      const key = `send-daily-summary ${walletaddr}`
      await enqueue(db, 'send-daily-summary', { walletaddr }, { runAt: new Date(full), key })
      return
    }
    for (const { party } of summary.messages.top) party.sign = signOf(ctx, party.address, party.name)
    const unsubscribe = unsubscribeUrl(config, 'notify24', walletaddr, summary.email)
    const draft = dailySummary(config.publicUrl, walletaddr, summary, unsubscribe)
    await mailer.send({ ...draft, to: summary.email, id: mailId('daily', job) }, job.signal)
  },
} satisfies Partial<Tasks<Context>>
