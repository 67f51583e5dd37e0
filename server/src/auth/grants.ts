// The one list of what lets somebody read or write as a wallet after a sign-in has ended. Signing out everywhere, revoke_tokens of an
// operator and erasure walk it, and `server/test/grants.test.ts` does so with every entry and every table: a table that is neither
// here nor among those that give no access fails it.
//
// Adding and ending wait for each other at a lock of the wallet. So what is added at the same time is either there to be ended, or
// its adder reads that the sign-in has ended (messages/granting.ts).

import type { Grant } from '@parley/sdk/contract/grants.ts'
import { lockByName } from '../db/lock.ts'
import type { Db } from '../db/pool.ts'
import { walletBucket } from '../values/bucket.ts'
import type { ApiKeys } from './api-keys.ts'
import type { IncomingHooks } from './incoming-hooks.ts'
import { numberSignOut, type SignOuts } from './sign-outs.ts'

interface Lasting {
  tables: readonly string[]
  /** What ends it: `wbucket` is $1, the wallet $2. */
  end: readonly string[]
  /**
   * What a ban does with it for as long as it holds: calls are refused, or nothing is sent (messages/telling.ts). A session stays,
   * because a banned wallet may appeal, export and erase; so does a draft, which it cannot send.
   */
  whenBanned: 'refused' | 'silent' | 'stays'
}

const ofWallet = 'where wbucket = $1 and walletaddr = $2'
const deletedFrom = (table: string) => `delete from ${table} ${ofWallet}`

/** What the endpoints of the contract add, and what exists besides. */
export type LastingGrant = Grant | 'sessions' | 'drafts' | 'mails'

export const lastingGrants: Readonly<Record<LastingGrant, Lasting>> = {
  sessions: { tables: ['sessions'], end: [deletedFrom('sessions')], whenBanned: 'stays' },
  api_keys: { tables: ['api_keys'], end: [deletedFrom('api_keys')], whenBanned: 'refused' },
  incoming_hooks: { tables: ['incoming_hooks'], end: [deletedFrom('incoming_hooks')], whenBanned: 'refused' },
  webhooks: {
    tables: ['webhooks', 'webhook_deliveries'],
    end: [deletedFrom('webhooks'), deletedFrom('webhook_deliveries')],
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
      // It has no bucket; the first parameter is named all the same.
      'delete from telegram_codes where $1::integer is not null and walletaddr = $2',
    ],
    whenBanned: 'silent',
  },
  // What a program has suggested waits to be sent by a person. What the wallet itself has drafted has neither label nor key. After
  // the keys: who drafts holds the row of its key.
  drafts: {
    tables: ['drafts'],
    end: [`${deletedFrom('drafts')} and (label <> '' or api_key is not null)`],
    whenBanned: 'stays',
  },
  // The address stays, so that its owner is told when something is added later.
  mails: {
    tables: ['settings'],
    end: [`update settings set notifydm = false, notify24 = false ${ofWallet}`],
    whenBanned: 'silent',
  },
}

/** Waits until nothing else adds or ends grants of a wallet, and holds them back until the transaction ends. */
export const lockGrants = (tx: Db, wallet: string) => lockByName(tx, `grants ${wallet}`)

/** Ends all tokens and all lasting grants of a wallet, once the transaction is committed. Then instances have to learn of it. */
export async function endGrants(tx: Db, wallet: string): Promise<void> {
  await lockGrants(tx, wallet)
  const of = [walletBucket(wallet), wallet]
  for (const { end } of Object.values(lastingGrants))
    for (const statement of end) await tx.query(statement, of)
  await numberSignOut(tx, wallet)
}

export interface Grants {
  /** Ends all tokens and all lasting grants of a wallet: on this machine at once, on others within two seconds. */
  endAll: (wallet: string) => Promise<void>
  /** After endGrants was committed: makes this machine learn of it. Others do by themselves. */
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
