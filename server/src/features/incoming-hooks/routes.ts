import { type incomingHooks, mostIncomingHooks } from '@parley/sdk/contract/incoming-hooks.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { newHookSecret } from '../../auth/incoming-hooks.ts'
import { newId } from '../../lib/ids.ts'
import { hashOfSecret } from '../../auth/secret-store.ts'
import { type Handlers, storingKey } from '../../http/endpoint.ts'
import { requireChat } from '../../messages/chat-access.ts'
import { postInChat } from '../../messages/post-message.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof incomingHooks> = {
  async createIncomingHook(ctx, { caller: { address }, body: { label, nftaddr: chat }, granting, full }) {
    const { config, db } = ctx
    const { nftaddr } = await requireChat(ctx, chat, address)
    const secret = newHookSecret(address)
    const id = newId()
    const stored = await granting(db, `${label}, in ${nftaddr}`, (tx) =>
      store.insertHook(tx, address, { id, hash: hashOfSecret(secret), label, nftaddr }),
    )
    if (!stored) throw full(mostIncomingHooks, 'Delete one first (DELETE /v1/incoming_hooks/{hook}).')
    return [{ ...stored, url: `${config.publicUrl}/v1/hooks/${secret}` }]
  },

  listIncomingHooks: ({ db }, { caller }) => store.findHooks(db, caller.address),

  async deleteIncomingHook({ db, incomingHooks: known }, { caller, params: { hook } }) {
    const existed = await store.deleteHook(db, caller.address, hook)
    // This runs also when the hook was gone: an earlier response may have been lost, and with it what follows here.
    await known.forget()
    if (!existed) throw new ApiError('not_found', 'There is no such hook: it may be deleted already.')
  },

  postByHook: storingKey(async (ctx, { caller: { address, hook }, body: { text }, key, http }) => {
    const body = { fromaddr: address, nftaddr: hook.nftaddr, message: text }
    // The keys of two hooks have nothing to do with each other.
    const ownKey = key && { ...key, key: `${key.key} ${hook.id}` }
    const { item, repeated } = await postInChat(ctx, { body, key: ownKey, http })
    return { item: { id: item.id, ...(item.held && { held: true as const }) }, repeated }
  }),
}
