// This channel sends mails about announcements alone; those about messages are mail-channel.ts. One is sent at a time, on all
// instances, and they use half of the mails of an hour at most: a crowd delays no mail to others.

import { countMail } from '../../mail/hourly.ts'
import type { InstantChannel, Target } from './channel.ts'
import { findEmailOf } from './store.ts'
import { announcementMail, type Draft } from './templates.ts'

interface Address extends Target {
  wallet: string
  email: string
}

export const announcementMails: InstantChannel<Address, (wallet: string) => Draft & { id: string }> = {
  pace: 'instant',
  name: 'announcement-mail',
  server: 'the mail server',
  task: 'mail-notification',
  reaches: { walletsOf: 'settings', where: 't.verified' },
  preview: 'name',

  async findTargets({ db, config }, wallet) {
    const email = config.smtpUrl === undefined ? undefined : await findEmailOf(db, wallet)
    return email === undefined ? [] : [{ id: 'mail', wallet, email }]
  },

  build:
    ({ publicUrl }, push, preview) =>
    (wallet) => ({
      ...announcementMail(publicUrl, wallet, push, preview !== 'none'),
      // A retry of a mail has the same one.
      id: `announcement.${push.tag}.${push.at}`,
    }),

  async send({ db, config, mailer }, { wallet, email }, draftFor) {
    const { notificationMails: most } = config
    const full =
      (await countMail(db, 'announcement', Math.ceil(most / 2))) ??
      (await countMail(db, 'notification', most))
    if (full !== undefined) return { outcome: 'later', status: 0, retryAfter: (full - db.now()) / 1000 }
    await mailer.send({ ...draftFor(wallet), to: email })
    return { outcome: 'sent', status: 250 }
  },

  deleteTarget: async () => {},

  cost: { queueOf: () => 'announcement mails', nextTurn: async () => 0 },
}
