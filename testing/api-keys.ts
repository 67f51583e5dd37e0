import { newApiKey } from '../server/src/auth/api-keys.ts'
import { hashOfSecret } from '../server/src/auth/secret-store.ts'
import { insertKey } from '../server/src/features/api-keys/store.ts'
import type { GrantTx } from '../server/src/messages/add-grant.ts'
import { canonicalScope } from '../server/src/values/scopes.ts'
import { newWallet, type Service } from './service.ts'

/** Makes an API key of a wallet, also one without scopes. */
export async function newApiKeyOf({ ctx }: Service, wallet: string, scopes: string[]): Promise<string> {
  const key = newApiKey(wallet)
  await insertKey(ctx.db as GrantTx<'api_keys'>, wallet, {
    id: newWallet().slice(2),
    hash: hashOfSecret(key),
    label: 'a key of a test',
    scopes: scopes.map(canonicalScope),
    expires: null,
  })
  return key
}
