// Programs post in one chat at these addresses. The secret in such an address is all that a program needs (secret-store.ts).

import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import type { Siblings } from '../instances/siblings.ts'
import { type SecretStore, secretsOf } from './secret-store.ts'

/** This is what a request knows of its hook. */
export interface HookOfCaller {
  id: string
  /** The hook posts in this chat. */
  nftaddr: string
}

export type IncomingHooks = SecretStore<HookOfCaller>

const secrets = secretsOf<HookOfCaller>({
  // No other token begins with this, so that programs which search for leaked secrets find it.
  prefix: 'prh_',
  // The bucket takes six bits, which leaves at least 256.
  bytes: 33,
  table: 'incoming_hooks',
  columns: 'id, nftaddr',
})

/** Makes a new secret of a hook of a wallet. */
export const newHookSecret = secrets.create

export const openIncomingHooks = (db: Db, log: Logger, siblings?: Siblings): IncomingHooks =>
  secrets.open(db, log, siblings)
