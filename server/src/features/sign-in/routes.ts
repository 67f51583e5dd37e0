import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { SignIn, signIn } from '@parley/sdk/contract/sign-in.ts'
import { isClaim } from '../../auth/claims.ts'
import { mayPublish } from '../../auth/publishing.ts'
import { requireOwnPage } from '../../auth/same-origin.ts'
import { tokenLifetime } from '../../auth/tokens.ts'
import { networkOf } from '../../limits/network.ts'
import type { Context } from '../../context.ts'
import { parseName } from '../../values/display-name.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { browserLabel } from './browser-label.ts'
import { countingFailures } from './failures.ts'
import type { Access } from './access.ts'
import { chainOfAddress } from './chains.ts'
import { accessProblem, checkMessage, clockProblem, signInMessage } from './message.ts'
import { issueNonce } from './nonce.ts'
import { sendToken, sessionTokenLifetime } from './send-token.ts'
import { sendSessionCookie } from './session-token.ts'
import { insertSession, insertSite } from './sessions.ts'
import { insertName, rememberWallet, spendNonce } from './store.ts'

export const handlers: Handlers<typeof signIn> = {
  async getNonce({ config }, { params: { address }, query: { chain_id }, http }) {
    http.reply.header('cache-control', 'no-store')
    const now = new Date()
    const { nonce, expires_at } = issueNonce(config.jwtSecret, address, now)
    const message = signInMessage(config, { address, chainId: chain_id, nonce, expiresAt: expires_at }, now)
    return { nonce, Nonce: nonce, message, expires_at }
  },

  async signIn(ctx, { body, http }) {
    http.reply.header('cache-control', 'no-store')
    if (body.session) requireOwnPage(ctx.config.publicUrl, http.request)
    const access = await countingFailures(ctx, networkOf(http.request), body.address, () =>
      requireProof(ctx, body),
    )
    // A site with scopes may not change the profile.
    if (!access?.scopes) await offerName(ctx, body)
    const [signOut, isFirst] = await Promise.all([
      ctx.signOuts.numberFor(body.address),
      rememberWallet(ctx.db, body.address),
    ])
    // The wallet may have been erased.
    if (isFirst) await ctx.quotas.welcome(body.address)
    const browser = browserLabel(http.request.headers['user-agent'])
    if (access?.scopes) {
      const { origin, scopes } = access
      const site = { browser, origin, scopes, lifetime: tokenLifetime * 1000 }
      const { id: session, ended } = await insertSite(ctx.db, body.address, site)
      for (const other of ended) await ctx.signOuts.signOut(other)
      return sendToken(ctx, http, body.address, { lifetime: tokenLifetime, signOut, session, scopes })
    }
    if (!body.session) return sendToken(ctx, http, body.address, { lifetime: tokenLifetime, signOut })
    const state = await insertSession(ctx.db, body.address, browser)
    sendSessionCookie(ctx.config, body.address, http, state)
    return sendToken(ctx, http, body.address, { lifetime: sessionTokenLifetime, signOut, session: state.id })
  },

  async signOutEverywhere({ config, grants }, { caller, http }) {
    await grants.endAll(caller.address)
    sendSessionCookie(config, caller.address, http)
  },
}

/**
 * Passes only when the wallet signed a text with a nonce of its own that is not spent; anything else is the same 401, except for
 * a text in which only the times are wrong.
 */
async function requireProof(
  { config, db }: Context,
  { address, msg, nonce, sig, session }: SignIn,
): Promise<Access | undefined> {
  // Clients that fill in every field of the interface send an empty string for one they do not use.
  const text = msg || nonce
  if (!text) throw badRequest([{ pointer: '/body/msg', detail: 'is required: the text that was signed' }])
  const now = new Date()
  const signed = checkMessage(config, { address, text }, now)
  // These come before the check of the signature: they depend only on what was sent.
  const problem = signed ? undefined : accessProblem(config, { address, text }, now)
  if (problem !== undefined) throw badRequest([{ pointer: '/body/msg', detail: problem }])
  if (session && signed?.access?.scopes)
    throw badRequest([
      { pointer: '/body/session', detail: 'must be left out: a sign-in with scopes is not renewed' },
    ])
  const clock = signed ? undefined : clockProblem(config, { address, text }, now)
  if (clock) throw new ApiError('unauthorized', clock)
  const proven =
    signed !== null &&
    (await chainOfAddress(address)?.verify(config, {
      address,
      text,
      signature: sig,
      chainId: signed.chainId,
    })) === true &&
    // This comes last, so that only the holder of the wallet can spend a nonce.
    (await spendNonce(db, signed.nonce, signed.nonceExpiresAt))
  if (!proven)
    throw new ApiError(
      'unauthorized',
      'This does not prove that you hold the wallet. Sign the message of GET /users/{address}/nonce as it is, and send it as msg with the signature as sig (of Ethereum 0x and its hexadecimal digits: 130 of a plain account; of Solana its 64 bytes in base58), once and within ten minutes.',
    )
  return signed?.access
}

// Spec gap: what a name does at sign-in. It becomes the wallet's when it has none, and is
// acceptable and free; a sign-in does not fail because of the name and does not wait for a chain: a
// name that a chain must confirm needs POST /v1/name, and one of a wallet that is muted or banned is left out. Digits alone are the id of a chain, which
// some clients send there.
async function offerName(
  { db, log, standing, config, officials }: Context,
  { address, name: text }: SignIn,
): Promise<void> {
  if (text === undefined || /^\p{N}*$/u.test(text.trim())) return
  const isOfficial = officials.get(address) !== undefined
  const name = parseName(text, { isOfficial })
  if ('problem' in name || name.onChain || (!isOfficial && isClaim({ config, officials }, name.name))) return
  const publishing = mayPublish(standing, address)
  if (!publishing) return
  await insertName(db, publishing, address, name).catch((error: Error & { code?: string }) => {
    if (error.code !== uniqueViolation) log.warn({ err: error }, 'a name could not be kept at sign-in')
  })
}

const uniqueViolation = '23505'
