import { type apiKeys, mostApiKeys } from '@parley/sdk/contract/api-keys.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { newApiKey } from '../../auth/api-keys.ts'
import { newId } from '../../lib/ids.ts'
import { hashOfSecret } from '../../auth/secret-store.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { parseTime } from '../../values/formats.ts'
import { canonicalScope } from '../../values/scopes.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof apiKeys> = {
  async createApiKey({ db }, { caller: { address }, body, granting, full }) {
    const { label, scopes, expires_at } = body
    const expires = expires_at === undefined ? null : parseTime(expires_at)!
    if (expires !== null && expires <= db.now())
      throw badRequest([{ pointer: '/body/expires_at', detail: 'must be a time to come' }])
    const key = newApiKey(address)
    const stored = await granting(db, label, (tx) =>
      store.insertKey(tx, address, {
        id: newId(),
        hash: hashOfSecret(key),
        label,
        scopes: [...new Set(scopes.map(canonicalScope))],
        expires,
      }),
    )
    if (!stored) throw full(mostApiKeys, 'Delete one first (DELETE /v1/api_keys/{api_key}).')
    return [{ ...stored, key }]
  },

  listApiKeys: ({ db }, { caller }) => store.findKeys(db, caller.address),

  async deleteApiKey({ db, apiKeys: known }, { caller, params: { api_key } }) {
    const existed = await store.deleteKey(db, caller.address, api_key)
    // This runs also when the key was gone: an earlier response may have been lost, and with it what follows here.
    await known.forget()
    if (!existed) throw new ApiError('not_found', 'There is no such API key: it may be deleted already.')
  },

  async getApiKey({ db }, { caller: { address, apiKey } }) {
    if (!apiKey) return []
    const [key] = await store.findKey(db, address, apiKey.id)
    return key ? [{ ...key, walletaddr: address }] : []
  },
}
