import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Handover, handovers } from '@parley/sdk/contract/handovers.ts'
import { requireOwnPage } from '../../auth/same-origin.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { networkOf } from '../../limits/network.ts'
import { adding } from '../../messages/add-grant.ts'
import { browserLabel } from './browser-label.ts'
import { byLink, countingFailures } from './failures.ts'
import * as store from './handovers.ts'
import { sendToken, sessionTokenLifetime } from './send-token.ts'
import { sendSessionCookie } from './session-token.ts'
import { createWaiting } from './waiting.ts'

const waiting = createWaiting()

export const handlers: Handlers<typeof handovers> = {
  async createHandover({ db }, { caller: { address, session, signedIn }, body, granting }) {
    // The owner gets a notice when the new browser is signed in.
    const expires = await granting(db, undefined, (tx) =>
      store.insertHandover(tx, address, { codeHash: body.code_hash, session, signedIn }),
    ).catch(refuseUsed)
    if (expires === undefined)
      throw new ApiError('forbidden', 'Only a browser that stays signed in can sign in another one.')
    return { state: 'waiting', expires_at: new Date(expires).toISOString() }
  },

  async getHandover({ db }, { caller: { address, session }, query: { after }, http: { request } }) {
    const read = async () => shown(await store.getOwn(db, address, session))
    if (after === undefined) return read()
    return waiting({ key: `made ${address}`, request }, read, ({ state }) => state !== after)
  },

  async confirmHandover({ db }, { caller: { address, session }, body: { number, sealed } }) {
    const outcome = await store.confirm(db, address, { session, number, sealed })
    if (outcome === 'wrong')
      throw new ApiError('conflict', 'That is another number. Nobody was signed in, and the link has ended.')
    if (outcome === 'none')
      throw new ApiError('not_found', 'No other browser waits for you, or the link has ended.')
  },

  async cancelHandover({ db }, { caller: { address } }) {
    await store.deleteHandover(db, address)
  },

  async openHandover(ctx, { body: { code, claim }, http: { request, reply } }) {
    reply.header('cache-control', 'no-store')
    requireOwnPage(ctx.config.publicUrl, request)
    const browser = browserLabel(request.headers['user-agent'])
    const opened = await countingFailures(ctx, networkOf(request), byLink, async () =>
      orRefuse(await store.open(ctx.db, { code, claim, browser }).catch(refuseUsed)),
    )
    const { walletaddr: address, number, expires_ms: expires } = opened
    return { address, number, browser: opened.browser, expires_at: new Date(expires).toISOString() }
  },

  async takeHandover(ctx, { body: { claim, wait }, http }) {
    const { request, reply } = http
    reply.header('cache-control', 'no-store')
    requireOwnPage(ctx.config.publicUrl, request)
    return countingFailures(ctx, networkOf(request), byLink, async () => {
      const found = await waiting(
        { key: `claimed ${claim}`, request, seconds: wait },
        () => store.getClaimed(ctx.db, claim),
        (one) => one?.is_confirmed !== false,
      )
      const { walletaddr: wallet, is_confirmed: isConfirmed } = orRefuse(found)
      if (!isConfirmed) return { state: 'opened' as const }
      const { signOut, taken } = await takeSession(ctx, wallet, claim)
      const { state, signedIn, sealed } = orRefuse(taken)
      sendSessionCookie(ctx.config, wallet, http, state)
      const token = { lifetime: sessionTokenLifetime, signOut, session: state.id, signedIn }
      const expires_in = await sendToken(ctx, http, wallet, token)
      return { state: 'done' as const, expires_in, ...(sealed !== null && { sealed }) }
    })
  },
}

/** Makes the session of the new browser, and notifies the owner of the wallet. */
async function takeSession(ctx: Context, wallet: string, claim: string) {
  // This comes before the hand-over is read: when the wallet signs out everywhere meanwhile, then either the hand-over is gone, or the
  // new token has a number that is out.
  const signOut = await ctx.signOuts.numberFor(wallet)
  const taken = await adding(ctx.db, wallet, 'handovers', async (tx, notify) => {
    const one = await store.take(tx, wallet, claim)
    if (one?.isNew) await notify(one.opener)
    return one
  })
  return { signOut, taken }
}

function shown(own: store.OwnHandover | undefined): Handover {
  if (!own) return { state: 'none' }
  const expires_at = new Date(own.expires_ms).toISOString()
  if (own.opener === null) return { state: 'waiting', expires_at }
  const of = { browser: own.opener, expires_at }
  if (own.is_given) return { state: 'done', ...of }
  if (own.is_confirmed) return { state: 'confirmed', ...of }
  return { state: 'opened', ...of, numbers: own.numbers! }
}

/** Every cause is the same refusal: a stranger who tries codes learns nothing. */
function orRefuse<T>(found: T | undefined): T {
  if (found === undefined) throw ended()
  return found
}

const ended = () =>
  new ApiError(
    'unauthorized',
    'This link works no longer: it was used, was opened in two browsers, or is older than five minutes. Make another one in the browser where you are signed in.',
  )

const uniqueViolation = '23505'

/** Another hand-over has this secret, which nobody draws by chance. */
function refuseUsed(error: Error & { code?: string }): never {
  throw error.code === uniqueViolation ? ended() : error
}
