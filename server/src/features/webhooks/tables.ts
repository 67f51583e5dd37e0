import type { Tables } from '../../feature.ts'
import { instant } from '../../messages/shared-sql.ts'
import { ofWallet } from '../../db/own-rows.ts'

const waits = { exported: 'in the lists of what it is about', erased: 'with the grants of the wallet' }

export const tables: Tables = {
  webhooks: {
    exported: {
      // The export leaves out the secrets of the webhooks.
      lines: {
        'webhooks.jsonl': `select json_build_object('url', url, 'events', events, 'chat', chat, 'peer', peer, 'is_on', is_on,
            'created_at', ${instant('created_ms')})::text as item
          from webhooks where ${ofWallet} order by created_ms`,
      },
    },
    erased: 'with the grants of the wallet',
    ends: 'erasure',
    access: { grant: 'webhooks' },
  },
  webhook_deliveries: {
    ...waits,
    stays: 'what others were sent; a month',
    ends: { column: 'ms', days: 30 },
    access: { grant: 'webhooks' },
  },
  webhook_waiting: { ...waits, ends: { column: 'to_ms', days: 30 }, access: { grant: 'webhooks' } },
  webhook_events: {
    exported: 'what others are sent: who joined, whose message was deleted',
    erased: 'after a month',
    stays: 'what others are to be sent; a month',
    ends: { column: 'ms', days: 30 },
    access: 'what webhooks are sent, which end',
  },
}
