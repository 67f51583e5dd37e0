import { signOf } from '../../auth/claims.ts'
import type { Job } from '../../jobs/tasks.ts'
import type { DigestChannel } from './channel.ts'
import { type DmNews, recordNotified, takeNews } from './message-mails.ts'
import { dmMail } from './templates.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/** The channel that sends mails about direct messages. */
export const mail: DigestChannel<DmNews> = {
  pace: 'digest',
  name: 'mail',
  reaches: { walletsOf: 'settings', where: 't.notifydm and t.verified' },
  task: 'send-dm-mail',
  takeNews: ({ db, config }, wallet, recipient, job) => takeNews(db, wallet, recipient, job.id, config),

  async send(ctx, wallet, news, job) {
    const { config, mailer } = ctx
    const { address, name } = news.sender
    const sender = { address, name, sign: signOf(ctx, address, name) }
    const unsubscribe = unsubscribeUrl(config, 'notifydm', wallet, news.email)
    const draft = dmMail(config.publicUrl, wallet, { ...news, sender }, unsubscribe)
    await mailer.send({ ...draft, to: news.email, id: mailId('dm', job) }, job.signal)
  },

  noteSent: (db, wallet, { upTo }) => recordNotified(db, wallet, upTo),
}

/** Returns a part of the Message-ID: a retry of a mail has the same one, and no other job ever has it. */
export const mailId = (kind: string, { id, createdAt }: Job) => `${kind}.${id}.${createdAt.getTime()}`
