import { randomUUID } from 'node:crypto'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { settings, SettingsUpdate } from '@parley/sdk/contract/settings.ts'
import type { FastifyRequest } from 'fastify'
import { authenticate, type Caller } from '../../auth/tokens.ts'
import type { Context } from '../../context.ts'
import { canonicalEmail } from '../../values/email.ts'
import { enqueue } from '../../jobs/queue.ts'
import { networkOf } from '../../limits/network.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { verificationCode, verificationHash, verificationHashes } from '../../mail/confirmation-code.ts'
import type { Db } from '../../db/pool.ts'
import { confirmPage } from './pages.ts'
import { takeMailQuota } from './quotas.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof settings> = {
  async updateSettings({ db, config }, { caller, body, http: { request } }) {
    const network = networkOf(request)
    return db.transaction(async (tx) => {
      const before = await store.lockSettings(tx, body.walletaddr)
      await store.updateSettings(tx, body)
      await followEmail(tx, config, caller, { ...body, network }, before)
      return store.findSettings(tx, body.walletaddr)
    })
  },

  async getSettings({ db }, { params: { address } }) {
    return store.findSettings(db, address)
  },

  async deleteSettings({ db }, { params: { address } }) {
    await store.deleteSettings(db, address)
  },

  async verifyEmail(ctx, { params: { email, verification_code }, http: { request, reply } }) {
    const hashes = verificationHashes(ctx.config, email, verification_code)
    reply.header('cache-control', 'no-store')
    const holder = await store.findVerified(ctx.db, hashes)
    const caller = await signedIn(ctx, request)
    // Mail scanners open links too, with any Accept. They have no token, so they get the page.
    if (caller === undefined || (holder !== undefined && holder !== caller))
      return confirmPage(email, holder !== undefined)
    const confirmed = await store.confirmEmail(ctx.db, hashes)
    if (confirmed.length === 0)
      throw new ApiError(
        'not_found',
        'This code is not valid: it is wrong, was used already, or is older than 24 hours. Set the address again to get a new one.',
      )
    return confirmed
  },
}

/**
 * The wallet whose token a GET carries. Spec gap: a token that is not valid is refused, so that a
 * client does not take the page for a confirmation.
 */
async function signedIn(ctx: Context, { method, headers }: FastifyRequest): Promise<string | undefined> {
  if (method !== 'GET' || headers.authorization === undefined) return undefined
  const caller = await authenticate(ctx, 'wallet', headers)
  if (caller?.kind !== 'wallet') return undefined
  if (caller.apiKey) throw new ApiError('forbidden', 'No API key may do this: sign in with the wallet.')
  return caller.address
}

/** Confirms a new address by a mail. One that the admin sets is confirmed at once. */
async function followEmail(
  tx: Db,
  config: Context['config'],
  caller: Caller,
  { walletaddr, email, network }: SettingsUpdate & { network: string },
  before: store.EmailState,
): Promise<void> {
  if (email === undefined) return
  if (email === null || caller.kind === 'admin')
    return void (await store.updateVerification(tx, walletaddr, email !== null))
  const same = before.email !== null && canonicalEmail(before.email) === canonicalEmail(email)
  // Spec gap: an address that is set again gets another mail only when the code of the last one is
  // no longer valid.
  if (same && (before.verified || before.pending)) return
  await takeMailQuota(tx, config, { wallet: walletaddr, email, network })
  const id = randomUUID()
  const hash = verificationHash(config.jwtSecret, email, verificationCode(config.jwtSecret, id))
  await store.updateVerification(tx, walletaddr, false, { id, hash })
  await enqueue(tx, 'send-verification-email', { walletaddr, verification_id: id })
}
