import { newApiKey } from '../../server/src/auth/api-keys.ts'
import { hashOfSecret } from '../../server/src/auth/secret-store.ts'
import { insertKey } from '../../server/src/features/api-keys/store.ts'
import { type GrantTx } from '../../server/src/messages/add-grant.ts'
import { canonicalScope } from '../../server/src/values/scopes.ts'
import { newWallet, type Service } from '../service/service.ts'
import { newHookSecret } from '../../server/src/auth/incoming-hooks.ts'
import { insertHook } from '../../server/src/features/incoming-hooks/store.ts'

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

/** Returns the secret of a wallet's hook for a chat. */
export async function newHookOf({ ctx }: Service, wallet: string, nftaddr: string): Promise<string> {
  const secret = newHookSecret(wallet)
  const id = newWallet().slice(2)
  await insertHook(ctx.db as GrantTx<'incoming_hooks'>, wallet, {
    id,
    hash: hashOfSecret(secret),
    label: 'a hook of a test',
    nftaddr,
  })
  return secret
}
