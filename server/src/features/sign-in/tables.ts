import { deleteOwn, ofAddress, ofWallet } from '../../db/own-rows.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'
import { instant } from '../../messages/shared-sql.ts'

export const tables: Tables = {
  used_nonces: ofNoWallet({ column: 'expires_ms', days: 0 }, 'takes away'),
  failed_sign_ins: ofNoWallet({ column: 'expires_ms', days: 0 }, 'a hash'),
  sessions: {
    exported: {
      lines: {
        'sessions.jsonl': `
          select json_strip_nulls(json_build_object('browser', browser, 'created_at', ${instant('created_ms')}, 'used_at', ${instant('used_ms')},
            'handed_over_by', handed_by, 'origin', origin, 'scopes', scopes))::text as item
          from sessions where ${ofWallet} order by created_ms`,
      },
    },
    erased: 'with the grants of the wallet',
    ends: { column: 'used_ms', days: 30 },
    access: { grant: 'sessions' },
  },
  handovers: {
    exported: 'hashes, for five minutes',
    erased: 'with the grants of the wallet',
    ends: { column: 'expires_ms', days: 0 },
    access: { grant: 'handovers' },
  },
  wallets_seen: {
    exported: {
      times: { first_seen: `select first_ms from wallets_seen where ${ofAddress}` },
    },
    erased: deleteOwn('wallets_seen', 'address'),
    ends: 'erasure',
    access: 'when it came',
  },
}
