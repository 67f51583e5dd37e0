import { type Static, Type } from 'typebox'
import { mostScopes } from '../sign-in-text.ts'
import { endpoints } from './endpoint.ts'
import { Made, Timestamp } from './fields.ts'

/** A browser in which a wallet stays signed in to the web client. */
export const WebSession = Type.Object(
  {
    id: Made(64, 'names it, and signs nobody in', ['q1vJ3mT8cK0yWz5uXb2RsA']),
    browser: Made(64, 'the kind of the browser and its system, as it named them when it signed in', [
      'Firefox on Linux',
    ]),
    created_at: Timestamp,
    used_at: Timestamp,
    current: Type.Boolean({
      description: 'whether the token of this request belongs to it',
      examples: [true],
    }),
    handed_over_by: Type.Optional(
      Made(64, 'the kind of the browser that signed this one in by a link; absent where the wallet signed', [
        'Chrome on iOS',
      ]),
    ),
    origin: Type.Optional(
      Made(512, 'the site that may do what `scopes` say; absent for a browser that stays signed in', [
        'https://shop.example',
      ]),
    ),
    scopes: Type.Optional(
      Type.Array(Type.String({ format: 'scope', description: 'what it may do', examples: ['public:read'] }), {
        minItems: 1,
        maxItems: mostScopes,
        description: 'of a site: what it may do as the wallet, as the text said that was signed',
      }),
    ),
    expires_at: Type.Optional({ ...Timestamp, description: 'of a site: until when it may' }),
  },
  {
    $id: 'WebSession',
    description: 'A browser in which a wallet stays signed in, or a site that may do a few things',
  },
)
export type WebSession = Static<typeof WebSession>

const tokenSeconds = Type.Integer({
  description: 'how long the token is valid, in seconds',
  examples: [3600],
})

/** The maximum number of browsers in which a wallet stays signed in at once. */
export const mostSessions = 20

// Spec gap: the interface has no sign-in that lasts, and no way to end one token.
export const sessions = endpoints({
  renewSession: {
    method: 'POST',
    path: '/v1/session/{address}',
    summary: 'A new token for the web client, by the cookie of its session',
    description:
      'For pages of this service alone, as `Sec-Fetch-Site` or `Origin` says; 403 for others. A sign-in with `session: true` sets the cookie, which this path alone receives. ' +
      'The token comes in the response header `Authorization: Bearer <jwt>`, the next value of the cookie in `Set-Cookie`. ' +
      'A value is good for one renewal; for a minute it gets the same next one again. Later it is a copy that somebody has: the session ends. It also ends after 30 days without a renewal. 401 when it has ended.',
    access: 'public',
    needsRoom: false,
    response: tokenSeconds,
  },
  listSessions: {
    method: 'GET',
    path: '/v1/sessions/{address}',
    summary: 'The browsers in which a wallet stays signed in, and the sites that may do a few things',
    description: `The one that was used last comes first. A wallet has at most ${mostSessions}: with one more, the one unused for longest ends; and as many sites. A site is listed until its token expires. Tokens without a session and without scopes are not listed.`,
    access: 'wallet',
    whenBanned: true,
    self: 'address',
    response: Type.Array(WebSession, { maxItems: 2 * mostSessions }),
  },
  endSession: {
    method: 'DELETE',
    path: '/v1/sessions/{address}/{session}',
    summary: 'Sign a browser or a site out',
    description: 'Its tokens are no longer valid: at once on this instance, within five seconds on others.',
    access: 'wallet',
    whenBanned: true,
    self: 'address',
    limit: 'account',
    changes: 0,
  },
  signOut: {
    method: 'POST',
    path: '/v1/signout',
    summary: 'Sign out',
    description:
      'The token of this request is no longer valid, nor is any of its session, which ends: at once on this instance, within five seconds on others. Other tokens of the wallet stay valid.',
    access: 'wallet',
    scope: 'sign-in',
    whenBanned: true,
    needsRoom: false,
    limit: 'account',
    changes: 0,
  },
})
