import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { sessions } from '@parley/sdk/contract/sessions.ts'
import { requireOwnPage } from '../../auth/same-origin.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { sessionTokenLifetime, sendToken } from './send-token.ts'
import { readSessionCookie, sendSessionCookie } from './session-token.ts'
import * as store from './sessions.ts'

export const handlers: Handlers<typeof sessions> = {
  async renewSession(ctx, { params: { address }, http }) {
    http.reply.header('cache-control', 'no-store')
    requireOwnPage(ctx.config.publicUrl, http.request)
    const presented = readSessionCookie(ctx.config, address, http.request)
    if (!presented) throw hasEnded()
    // This comes before the session is read: when the wallet signs out everywhere meanwhile, then either the session is gone, or
    // the new token has a number that is out.
    const signOut = await ctx.signOuts.numberFor(address)
    const state = await store.renewSession(ctx.db, address, presented)
    if (typeof state === 'string') {
      if (state === 'reused') {
        ctx.log.warn('the replaced token of a session was used again: the session has ended')
        await store.deleteSession(ctx.db, address, presented.id)
        await ctx.signOuts.signOut(presented.id)
      }
      sendSessionCookie(ctx.config, address, http)
      throw hasEnded()
    }
    sendSessionCookie(ctx.config, address, http, state)
    const { id: session, signedIn } = state
    return sendToken(ctx, http, address, { lifetime: sessionTokenLifetime, signOut, session, signedIn })
  },

  listSessions: ({ db }, { params: { address }, caller }) => store.findSessions(db, address, caller.session),

  async endSession({ db, signOuts }, { params: { address, session } }) {
    if (!(await store.deleteSession(db, address, session)))
      throw new ApiError('not_found', 'There is no such session: it may have ended already.')
    await signOuts.signOut(session)
  },

  async signOut({ config, db, signOuts }, { caller: { address, session, scopes }, http }) {
    await store.deleteSession(db, address, session)
    await signOuts.signOut(session)
    // Another site has no cookie, and the browser may have one of this service's own page.
    if (!scopes) sendSessionCookie(config, address, http)
  },
}

const hasEnded = () => new ApiError('unauthorized', 'This browser is no longer signed in. Sign in again.')
