// Programs send these keys in place of a token (secret-store.ts).

import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import type { Siblings } from '../instances/siblings.ts'
import { apiKeyPrefix } from '../values/formats.ts'
import { secretsOf } from './secret-store.ts'

/** This is what a request knows of its key. */
export interface KeyOfCaller {
  id: string
  /** The key may do what these scopes allow (values/scopes.ts). */
  scopes: string[]
  hash: Buffer
}

/** This is a key that is valid. */
interface FoundKey extends KeyOfCaller {
  address: string
  /** This is in epoch milliseconds; Infinity when it never expires. */
  expires: number
}

export interface ApiKeys {
  /** Returns undefined when it is not valid. */
  find: (key: string) => Promise<FoundKey | undefined>
  /**
   * Returns whether a key of a wallet was deleted, for streams that stay open: as it was known at the last call, which queries it
   * again.
   */
  isGone: (wallet: string, key: KeyOfCaller) => boolean
  /** Call this after keys were deleted: it reads them again on this machine. */
  forget: () => Promise<void>
}

const secrets = secretsOf<{ id: string; scopes: string[]; expires_ms: number | null }>({
  prefix: apiKeyPrefix,
  bytes: 32,
  table: 'api_keys',
  columns: 'id, scopes, expires_ms',
})

/** Makes a new key of a wallet. */
export const newApiKey = secrets.create

export function openApiKeys(db: Db, log: Logger, siblings?: Siblings): ApiKeys {
  const stored = secrets.open(db, log, siblings)
  return {
    async find(key) {
      const row = await stored.find(key)
      if (!row) return undefined
      const { id, walletaddr: address, scopes, hash, expires_ms } = row
      const expires = expires_ms ?? Infinity
      return expires > db.now() ? { id, scopes, hash, address, expires } : undefined
    },
    isGone: (wallet, { hash }) => stored.isGone(wallet, hash),
    forget: stored.forget,
  }
}
