import { newHookSecret } from '../server/src/auth/incoming-hooks.ts'
import { hashOfSecret } from '../server/src/auth/secret-store.ts'
import { insertHook } from '../server/src/features/incoming-hooks/store.ts'
import type { GrantTx } from '../server/src/messages/add-grant.ts'
import { newWallet, type Service } from './service.ts'

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
