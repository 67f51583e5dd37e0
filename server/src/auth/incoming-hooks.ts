// Addresses at which programs post in one chat. The secret in such an address is all that a program needs (kept-secrets.ts).

import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import type { Siblings } from '../instances/siblings.ts'
import { type KeptSecrets, secretsOf } from './kept-secrets.ts'

/** What a request knows of the hook that it came by. */
export interface HookOfCaller {
  id: string
  /** The chat in which it posts. */
  nftaddr: string
}

export type IncomingHooks = KeptSecrets<HookOfCaller>

const secrets = secretsOf<HookOfCaller>({
  // What no other token begins with, so that programs which look for leaked secrets find it.
  prefix: 'prh_',
  // The bucket takes six bits, and leaves more than 256.
  bytes: 33,
  table: 'incoming_hooks',
  columns: 'id, nftaddr',
})

/** A new secret of a hook of a wallet. */
export const newHookSecret = secrets.create

export const openIncomingHooks = (db: Db, log: Logger, siblings?: Siblings): IncomingHooks =>
  secrets.open(db, log, siblings)
