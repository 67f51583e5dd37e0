import { randomUUID } from 'node:crypto'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Settings, settings, SettingsUpdate } from '@parley/sdk/contract/settings.ts'
import type { FastifyRequest } from 'fastify'
import { authenticate } from '../../auth/tokens.ts'
import type { Context } from '../../context.ts'
import { canonicalEmail } from '../../values/email.ts'
import { enqueue } from '../../jobs/queue.ts'
import { networkOf } from '../../limits/network.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { requireScope } from '../../http/scopes.ts'
import { verificationCode, verificationHash, verificationHashes } from '../../mail/confirmation-code.ts'
import type { Db } from '../../db/pool.ts'
import { adding, type Granting, type GrantTx } from '../../messages/add-grant.ts'
import { confirmPage } from './pages.ts'
import { takeMailQuota } from './quotas.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof settings> = {
  async updateSettings({ db, config }, { body, granting, http: { request } }) {
    const { walletaddr, email } = body
    const network = networkOf(request)
    if (typeof email === 'string') {
      const answer = await setAddress(db, config, { ...body, email, network }, granting)
      if (answer) return answer
    }
    return db.transaction(async (tx) => {
      const before = await store.lockSettings(tx, walletaddr)
      await store.updateSettings(tx, body)
      if (email === null) {
        await store.removeEmail(tx, walletaddr)
        await sendLastMail(tx, walletaddr, before)
        // Spec gap: an address that is set again gets another mail only when the code of the last one is
        // no longer valid.
      } else if (email !== undefined && isSame(before.email, email) && !before.verified && !before.pending)
        await sendConfirmation(tx, config, { walletaddr, email, network })
      return store.findSettings(tx, walletaddr)
    })
  },

  async getSettings({ db }, { params: { address } }) {
    return store.findSettings(db, address)
  },

  async deleteSettings({ db }, { params: { address } }) {
    await db.transaction(async (tx) => {
      const before = await store.deleteSettings(tx, address)
      if (before) await sendLastMail(tx, address, before)
    })
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
  requireScope({}, caller)
  return caller.address
}

interface NewAddress extends SettingsUpdate {
  email: string
  /** The network address of the request. */
  network: string
}

/**
 * Sets another address, with the other changes; returns undefined, and changes nothing, where it is the address already. A wallet
 * confirms it by a mail. The admin has no `granting`; an address that the admin sets is confirmed at once.
 */
async function setAddress(
  db: Db,
  config: Context['config'],
  { network, ...change }: NewAddress,
  granting: Granting<'mails'> | undefined,
): Promise<Settings[] | undefined> {
  const { walletaddr, email } = change
  const set = async (tx: GrantTx<'mails'>) => {
    const before = await store.lockSettings(tx, walletaddr)
    const isKept = isSame(before.email, email)
    if (isKept && granting) return undefined
    await store.updateSettings(tx, change)
    if (!isKept) await sendLastMail(tx, walletaddr, before)
    await store.setEmail(tx, walletaddr, email)
    if (granting) await sendConfirmation(tx, config, { walletaddr, email, network })
    else await store.updateVerification(tx, walletaddr, true)
    return store.findSettings(tx, walletaddr)
  }
  if (!granting) return adding(db, walletaddr, 'mails', set)
  const [before] = await store.findSettings(db, walletaddr)
  return isSame(before?.email, email) ? undefined : granting(db, email, set)
}

const isSame = (before: string | null | undefined, email: string): boolean =>
  typeof before === 'string' && canonicalEmail(before) === canonicalEmail(email)

/** An address that was confirmed gets one more mail when it is replaced or removed: its owner may not have done that. */
async function sendLastMail(
  tx: Db,
  walletaddr: string,
  { email, verified }: Pick<store.EmailState, 'email' | 'verified'>,
): Promise<void> {
  if (email !== null && verified) await enqueue(tx, 'send-last-mail', { walletaddr, email })
}

/** Sends the mail with the link that confirms an address. */
async function sendConfirmation(
  tx: Db,
  config: Context['config'],
  { walletaddr, email, network }: Pick<NewAddress, 'walletaddr' | 'email' | 'network'>,
): Promise<void> {
  await takeMailQuota(tx, config, { wallet: walletaddr, email, network })
  const id = randomUUID()
  const hash = verificationHash(config.jwtSecret, email, verificationCode(config.jwtSecret, id))
  await store.updateVerification(tx, walletaddr, false, { id, hash })
  await enqueue(tx, 'send-verification-email', { walletaddr, verification_id: id })
}
