import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Made, Text, Timestamp } from './fields.ts'

const lowest = 10
const highest = 99

const TwoDigits = Type.Integer({
  minimum: lowest,
  maximum: highest,
  description: 'a number of two digits',
  examples: [47],
})

/** 128 random bits. */
const secret = (description: string, example: string) =>
  Type.String({ pattern: '^[\\w-]{22}$', description, examples: [example] })

const code = secret(
  'the code of the link: 128 bits in base64url, derived from what follows its #, which stays in the browser',
  'q1vJ3mT8cK0yWz5uXb2RsA',
)
const claim = secret(
  'a secret that the new browser makes, 128 random bits in base64url: only who knows it gets the sign-in',
  'Xb2RsAq1vJ3mT8cK0yWz5u',
)
const until = { ...Timestamp, description: 'until when it can be used' }
const browser = (which: string) => Made(64, `the kind of the ${which} browser`, ['Firefox on Android'])

/** What the browser that is signed in knows of the hand-over that it has made. */
export const Handover = Type.Object(
  {
    state: Type.Union(
      [
        Type.Literal('none'),
        Type.Literal('waiting'),
        Type.Literal('opened'),
        Type.Literal('confirmed'),
        Type.Literal('done'),
      ],
      {
        description:
          'waiting: nobody has opened the link; opened: a browser has, and shows one of the numbers; confirmed: the number was right; done: the new browser is signed in; none: there is none, or it has ended',
        examples: ['opened'],
      },
    ),
    expires_at: Type.Optional(until),
    browser: Type.Optional(browser('new')),
    numbers: Type.Optional(
      Type.Array(TwoDigits, {
        maxItems: 3,
        description: 'of `opened`: the number that the new browser shows, and two others',
      }),
    ),
  },
  { $id: 'Handover', description: 'A wallet on its way into a second browser' },
)
export type Handover = Static<typeof Handover>

/** What a browser learns that has opened the link. */
export const OpenedHandover = Type.Object(
  {
    address: { ...Address, description: 'the wallet that this browser is going to be signed in as' },
    number: { ...TwoDigits, description: 'the number to choose in the browser that made the link' },
    browser: browser('browser that made the link, as the name of the'),
    expires_at: until,
  },
  { $id: 'OpenedHandover', description: 'A hand-over that waits until its number is chosen' },
)
export type OpenedHandover = Static<typeof OpenedHandover>

/** A request waits for this many seconds at most. */
export const longestWait = 5

/** At most this many bytes of sealed keys. */
const mostSealed = 8 * 1024

export const TakenHandover = Type.Object(
  {
    state: Type.Union([Type.Literal('opened'), Type.Literal('done')], {
      description: 'opened: the number is not chosen yet, ask again; done: this browser is signed in',
      examples: ['done'],
    }),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'of `done`: how long the token is valid, in seconds',
        examples: [3600],
      }),
    ),
    sealed: Type.Optional(
      Text(mostSealed, 'of `done`: what the other browser has sealed for this one', { examples: ['AAAA'] }),
    ),
  },
  { $id: 'TakenHandover', description: 'Whether the new browser is signed in' },
)
export type TakenHandover = Static<typeof TakenHandover>

const own =
  'For pages of this service alone, as `Sec-Fetch-Site` or `Origin` says; 403 for others. 401 when the link was used, is wrong or has ended.'

// Spec gap: the interface signs in by signatures alone, and many browsers have no wallet.
export const handovers = endpoints({
  createHandover: {
    method: 'POST',
    path: '/v1/handovers',
    summary: 'Begin to sign in a second browser, by a link that works once',
    description:
      'For a browser that stays signed in, and no other: 403. It makes the code of its link, and sends the SHA-256 of it. The link is valid for five minutes, and takes the place of one that was made before.',
    access: 'wallet',
    grants: 'handovers',
    limit: 'account',
    needsRoom: false,
    body: Type.Object(
      {
        code_hash: Type.String({
          pattern: '^[\\w-]{43}$',
          description: 'the SHA-256 of the code, in base64url',
          examples: ['47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'],
        }),
      },
      { $id: 'NewHandover', description: 'The link that opens the hand-over' },
    ),
    response: Handover,
  },
  getHandover: {
    method: 'GET',
    path: '/v1/handovers',
    summary: 'How far the hand-over is that this browser has made',
    description:
      'With `after` it waits until the state is another one, for five seconds at most; one request of a wallet waits at a time.',
    access: 'wallet',
    query: Type.Object({
      after: Type.Optional(
        Type.Union([Type.Literal('waiting'), Type.Literal('opened'), Type.Literal('confirmed')], {
          description: 'the state that the caller knows',
          examples: ['waiting'],
        }),
      ),
    }),
    response: Handover,
  },
  confirmHandover: {
    method: 'POST',
    path: '/v1/handovers/confirm',
    summary: 'Choose the number that the new browser shows',
    description:
      'From the browser that made the link: 404 for all others. A wrong number ends the hand-over (409).',
    access: 'wallet',
    recent: true,
    limit: 'account',
    needsRoom: false,
    body: Type.Object(
      {
        number: TwoDigits,
        sealed: Type.Optional(
          Text(mostSealed, 'for the new browser, sealed with a secret that this service does not have', {
            invisible: 'allowed',
            examples: ['AAAA'],
          }),
        ),
      },
      { $id: 'ConfirmedHandover', description: 'The number that the new browser shows' },
    ),
  },
  cancelHandover: {
    method: 'DELETE',
    path: '/v1/handovers',
    summary: 'End the hand-over of the caller, if there is one',
    access: 'wallet',
    limit: 'account',
    changes: 0,
  },
  openHandover: {
    method: 'POST',
    path: '/v1/handovers/open',
    summary: 'Open the link of a hand-over in a new browser',
    description: `Once: a second browser that opens the link ends it for both. A repetition with the same claim gets the same. ${own}`,
    access: 'public',
    limit: 'account',
    needsRoom: false,
    body: Type.Object({ code, claim }, { $id: 'OpeningHandover', description: 'A link that is opened' }),
    response: OpenedHandover,
  },
  takeHandover: {
    method: 'POST',
    path: '/v1/handovers/take',
    summary: 'Sign the new browser in, when its number was chosen',
    description: `It waits for that, for five seconds at most. Then the token comes in the response header \`Authorization: Bearer <jwt>\`, and the cookie of the session in \`Set-Cookie\`, as after a sign-in with \`session: true\`. ${own}`,
    access: 'public',
    limit: 'account',
    needsRoom: false,
    body: Type.Object(
      {
        claim,
        wait: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: longestWait,
            description: 'how many seconds to wait for the number to be chosen; 5 when left out',
            examples: [0],
          }),
        ),
      },
      { $id: 'TakingHandover', description: 'The proof of the new browser' },
    ),
    response: TakenHandover,
  },
})
