// Keys that programs send in place of a token (kept-secrets.ts).

import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import type { Siblings } from '../instances/siblings.ts'
import { apiKeyPrefix } from '../values/formats.ts'
import { secretsOf } from './kept-secrets.ts'

/** What a request knows of the key that it came with. */
export interface KeyOfCaller {
  id: string
  /** What it may do (values/scopes.ts). */
  scopes: string[]
  hash: Buffer
}

/** A key that is valid. */
interface FoundKey extends KeyOfCaller {
  address: string
  /** In epoch milliseconds; Infinity when it never expires. */
  expires: number
}

export interface ApiKeys {
  /** Undefined when it is not valid. */
  find: (key: string) => Promise<FoundKey | undefined>
  /** Whether a key of a wallet was deleted, for what stays open: as it was known at the last call, which asks anew. */
  isGone: (wallet: string, key: KeyOfCaller) => boolean
  /** After keys were deleted: reads them anew on this machine. */
  forget: () => Promise<void>
}

const secrets = secretsOf<{ id: string; scopes: string[]; expires_ms: number | null }>({
  prefix: apiKeyPrefix,
  bytes: 32,
  table: 'api_keys',
  columns: 'id, scopes, expires_ms',
})

/** A new key of a wallet. */
export const newApiKey = secrets.create

export function openApiKeys(db: Db, log: Logger, siblings?: Siblings): ApiKeys {
  const kept = secrets.open(db, log, siblings)
  return {
    async find(key) {
      const row = await kept.find(key)
      if (!row) return undefined
      const { id, walletaddr: address, scopes, hash, expires_ms } = row
      const expires = expires_ms ?? Infinity
      return expires > db.now() ? { id, scopes, hash, address, expires } : undefined
    },
    isGone: (wallet, { hash }) => kept.isGone(wallet, hash),
    forget: kept.forget,
  }
}
