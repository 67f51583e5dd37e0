import { deleteNaming, deleteOwn, ofWallet } from '../../db/own-rows.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'
import { instant } from '../../messages/shared-sql.ts'

export const tables: Tables = {
  notification_rules: {
    exported: {
      lines: {
        'notification_rules.jsonl': `select rules::text as item from notification_rules where ${ofWallet}`,
      },
    },
    erased: deleteOwn('notification_rules'),
    ends: 'erasure',
    access: 'what of the channels is used',
  },
  push_subscriptions: {
    exported: {
      lines: {
        'push_subscriptions.jsonl': `
          select json_build_object('host', substring(endpoint from '^https?://([^/]+)'), 'label', label,
            'created_at', ${instant('created_ms')})::text as item
          from push_subscriptions where ${ofWallet} order by created_ms`,
      },
    },
    erased: 'with the grants of the wallet',
    ends: 'erasure',
    access: { grant: 'push_subscriptions' },
  },
  push_marks: {
    exported: 'numbers of two days',
    erased: deleteOwn('push_marks'),
    stays: 'of what others were notified; two days',
    ends: { column: 'told_ms', days: 2 },
    access: 'of what it was notified',
  },
  telegram_links: {
    exported: {
      lines: {
        'telegram_link.jsonl': `select json_build_object('chat_id', chat_id, 'name', name, 'since', ${instant('since_ms')})::text as item
          from telegram_links where ${ofWallet}`,
      },
    },
    erased: 'with the grants of the wallet',
    ends: 'erasure',
    access: { grant: 'telegram' },
  },
  telegram_codes: {
    exported: 'a hash, for ten minutes',
    erased: 'with the grants of the wallet',
    ends: { column: 'expires_ms', days: 0 },
    access: { grant: 'telegram' },
  },
  telegram_pace: ofNoWallet(
    { column: 'next_ms', days: 0 },
    'when a chat of Telegram may get the next message',
  ),
  telegram_bots: ofNoWallet('fixed'),
  service_keys: ofNoWallet('fixed', 'of the service'),
  announcements: {
    ...ofNoWallet('bound', 'numbers'),
    exported: 'in group-messages.jsonl: the post has the mark',
    erased: 'stays with the post, which stays under the bare address',
    stays: 'who announced a post, as group_messages',
  },
  dm_mails: {
    exported: 'when mails were sent, for two days',
    erased: deleteNaming('dm_mails', 'toaddr'),
    ends: { column: 'expires_ms', days: 0 },
    access: 'when mails were sent',
  },
}
