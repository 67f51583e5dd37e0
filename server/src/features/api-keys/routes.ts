import { randomBytes } from 'node:crypto'
import { type apiKeys, mostApiKeys } from '@parley/sdk/contract/api-keys.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { newApiKey } from '../../auth/api-keys.ts'
import { hashOfSecret } from '../../auth/kept-secrets.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { parseTime } from '../../values/formats.ts'
import { canonicalScope } from '../../values/scopes.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof apiKeys> = {
  async createApiKey({ db }, { caller: { address }, body, granting }) {
    const { label, scopes, expires_at } = body
    const expires = expires_at === undefined ? null : parseTime(expires_at)!
    if (expires !== null && expires <= db.now())
      throw badRequest([{ pointer: '/body/expires_at', detail: 'must be a time to come' }])
    const key = newApiKey(address)
    const stored = await granting(label, (tx) =>
      store.insertKey(tx, address, {
        id: randomBytes(16).toString('base64url'),
        hash: hashOfSecret(key),
        label,
        scopes: [...new Set(scopes.map(canonicalScope))],
        expires,
      }),
    )
    if (!stored)
      throw new ApiError(
        'payload_too_large',
        `Your wallet may have ${mostApiKeys} API keys, and has them. Delete one (DELETE /v1/api_keys/{id}) to make another.`,
      )
    return [{ ...stored, key }]
  },

  listApiKeys: ({ db }, { caller }) => store.findKeys(db, caller.address),

  async deleteApiKey({ db, apiKeys: known }, { caller, params: { api_key } }) {
    const existed = await store.deleteKey(db, caller.address, api_key)
    // Also when it was gone: an answer before may have been lost, and with it what follows here.
    await known.forget()
    if (!existed) throw new ApiError('not_found', 'There is no such API key: it may be deleted already.')
  },

  async getApiKey({ db }, { caller: { address, apiKey } }) {
    if (!apiKey) return []
    const [key] = await store.findKey(db, address, apiKey.id)
    return key ? [{ ...key, walletaddr: address }] : []
  },
}
