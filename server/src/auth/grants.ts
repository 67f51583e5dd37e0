// This is the one list of what lets somebody read or write as a wallet after a sign-in has ended. Signing out everywhere, an
// operator's revoke_tokens and erasure end each entry, and `server/test/grants.test.ts` tests every entry. Each table says
// whether it is here (`access`, feature.ts).
//
// Adding and ending wait for each other at a lock of the wallet. So a grant that is added at the same time either exists and is
// ended, or its transaction reads that the sign-in has ended (messages/add-grant.ts).

import type { Grant } from '@parley/sdk/contract/grants.ts'
import { lockByName } from '../db/lock.ts'
import { keyOf, ofWallet } from '../db/own-rows.ts'
import type { Db } from '../db/pool.ts'
import type { ApiKeys } from './api-keys.ts'
import type { IncomingHooks } from './incoming-hooks.ts'
import { numberSignOut, type SignOuts } from './sign-outs.ts'

interface Lasting {
  tables: readonly string[]
  /** These statements end it: `wbucket` is $1, the wallet $2. */
  end: readonly string[]
  /**
   * Says what a ban does with it while the ban holds: calls are refused, or nothing is sent (messages/notification-policy.ts). A
   * session stays, because a banned wallet may appeal, export and erase; so does a draft, which the wallet cannot send.
   */
  whenBanned: 'refused' | 'silent' | 'stays'
}

/** SQL that removes the mail address of a wallet, and the code that would confirm it. */
export const withoutEmail =
  'email = null, verified = false, verification_id = null, verification_hash = null, verification_expires_ms = null'

const deletedFrom = (table: string) => `delete from ${table} where ${ofWallet}`

/** The endpoints of the contract add grants, and these exist besides. */
export type LastingGrant = Grant | 'sessions' | 'drafts'

export const lastingGrants: Readonly<Record<LastingGrant, Lasting>> = {
  sessions: { tables: ['sessions'], end: [deletedFrom('sessions')], whenBanned: 'stays' },
  // This table has no bucket; the first parameter is named all the same.
  handovers: {
    tables: ['handovers'],
    end: ['delete from handovers where $1::integer is not null and walletaddr = $2'],
    whenBanned: 'stays',
  },
  api_keys: { tables: ['api_keys'], end: [deletedFrom('api_keys')], whenBanned: 'refused' },
  incoming_hooks: { tables: ['incoming_hooks'], end: [deletedFrom('incoming_hooks')], whenBanned: 'refused' },
  webhooks: {
    tables: ['webhooks', 'webhook_waiting', 'webhook_deliveries'],
    end: [deletedFrom('webhooks'), deletedFrom('webhook_waiting'), deletedFrom('webhook_deliveries')],
    whenBanned: 'silent',
  },
  push_subscriptions: {
    tables: ['push_subscriptions'],
    end: [deletedFrom('push_subscriptions')],
    whenBanned: 'silent',
  },
  telegram: {
    tables: ['telegram_links', 'telegram_codes'],
    end: [
      deletedFrom('telegram_links'),
      // This table has no bucket; the first parameter is named all the same.
      'delete from telegram_codes where $1::integer is not null and walletaddr = $2',
    ],
    whenBanned: 'silent',
  },
  // A program's suggestion waits for a person to send it. The wallet's own drafts have neither label nor key. This comes after
  // the keys: a transaction that adds a draft holds the row of its key.
  drafts: {
    tables: ['drafts'],
    end: [`${deletedFrom('drafts')} and (label <> '' or api_key is not null)`],
    whenBanned: 'stays',
  },
  // The address is removed: nothing says who has set it.
  mails: {
    tables: ['settings'],
    end: [`update settings set notifydm = false, notify24 = false, ${withoutEmail} where ${ofWallet}`],
    whenBanned: 'silent',
  },
}

/** Waits until nothing else adds or ends grants of a wallet, and blocks others until the transaction ends. */
export const lockGrants = (tx: Db, wallet: string) => lockByName(tx, `grants ${wallet}`)

/** Ends all tokens and all lasting grants of a wallet, once the transaction is committed. Then instances have to learn of it. */
export async function endGrants(tx: Db, wallet: string): Promise<void> {
  await lockGrants(tx, wallet)
  const of = keyOf(wallet)
  for (const { end } of Object.values(lastingGrants))
    for (const statement of end) await tx.query(statement, of)
  await numberSignOut(tx, wallet)
}

export interface Grants {
  /** Ends all tokens and all lasting grants of a wallet: on this machine at once, on others within two seconds. */
  endAll: (wallet: string) => Promise<void>
  /** Call this after endGrants was committed: this machine reads the change. Others do by themselves. */
  learn: () => Promise<void>
}

export function openGrants(
  db: Db,
  {
    signOuts,
    apiKeys,
    incomingHooks,
  }: {
    signOuts: Pick<SignOuts, 'refresh'>
    apiKeys: Pick<ApiKeys, 'forget'>
    incomingHooks: Pick<IncomingHooks, 'forget'>
  },
): Grants {
  const learn = async () => {
    await Promise.all([signOuts.refresh(), apiKeys.forget(), incomingHooks.forget()])
  }
  return {
    async endAll(wallet) {
      await db.transaction((tx) => endGrants(tx, wallet))
      await learn()
    },
    learn,
  }
}
