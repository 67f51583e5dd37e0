import { deleteOwn, ofWallet } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import type { Tables } from '../../feature.ts'

// Spec gap: how many mails an address got today is kept (as a hash) until the end of the day, to protect its owner.
const forgetMails = (tx: Db, wallet: string) =>
  tx.query(`delete from mail_quotas where key = 'wallet ' || $1`, [wallet])

export const tables: Tables = {
  settings: {
    exported: {
      lines: {
        'settings.jsonl': `select json_strip_nulls(json_build_object('id', id, 'walletaddr', walletaddr, 'domain', domain, 'email', email,
            'notify24', notify24::text, 'notifydm', notifydm::text, 'signupsite', signupsite, 'verified', verified::text))::text as item
          from settings where ${ofWallet}`,
      },
    },
    erased: deleteOwn('settings'),
    ends: 'erasure',
    access: { grant: 'mails' },
  },
  mail_quotas: {
    exported: 'numbers of a day; of the mail and network address a keyed hash',
    erased: forgetMails,
    ends: { column: 'expires_ms', days: 0 },
    access: 'numbers',
  },
}
