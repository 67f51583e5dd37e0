import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Text, Timestamp } from './fields.ts'

const untilTime = 'an instant (RFC 3339), or forever'

/** Until this time a wallet gets no notifications about what a peer or a chat writes. */
export const MutedUntil = Type.Union([Type.Literal('forever'), Timestamp], {
  description: `until when the wallet gets no notifications about it: ${untilTime}`,
  examples: ['2026-11-21T18:30:00.123Z'],
})

export const NewMutedUntil = Type.Union(
  [
    Type.String({ format: 'muted-until', description: untilTime, examples: ['2026-11-21T18:30:00.123Z'] }),
    Type.Null(),
  ],
  { description: `${untilTime}; null, or a time that is over, for not muted`, examples: ['forever'] },
)

export const ContactState = Type.Union(
  [Type.Literal('unknown'), Type.Literal('accepted'), Type.Literal('ignored'), Type.Literal('blocked')],
  {
    description:
      'what the wallet thinks of the other: unknown (a request), accepted, ignored (silent, and in no part of the inbox but all) or blocked',
    examples: ['accepted'],
  },
)

/** The settings of a wallet about another one. Nobody else can read them. */
export const Contact = Type.Object(
  {
    peer: Address,
    state: ContactState,
    alias: Type.Optional(Text(256, 'what the wallet calls it', { examples: ['Ann from work'] })),
    muted_until: Type.Optional(MutedUntil),
    since: Type.Optional(
      Type.String({ ...Timestamp, description: 'since when it has this state, where the wallet chose it' }),
    ),
  },
  { $id: 'Contact', description: 'The settings of a wallet about another one, which nobody else can read' },
)
export type Contact = Static<typeof Contact>

/** Changes of a contact: a field that is left out stays as it is. */
export const ContactUpdate = Type.Object(
  {
    state: Type.Optional(ContactState),
    blocked: Type.Optional(
      Type.Boolean({
        description:
          'true blocks, as the state blocked does; false lifts it, and the state is what it was before',
        examples: [false],
      }),
    ),
    muted_until: Type.Optional(NewMutedUntil),
    alias: Type.Optional(
      Type.Union(
        [Text(256, 'what the wallet calls it', { minLength: 1, invisible: 'refused' }), Type.Null()],
        {
          description: 'a name of 1 to 256 bytes that only the wallet itself sees; null for none',
          examples: ['Ann from work'],
        },
      ),
    ),
  },
  { $id: 'ContactUpdate', description: 'Changes of a contact: a field that is left out stays as it is' },
)
export type ContactUpdate = Static<typeof ContactUpdate>

/** The result for requests that were decided together. */
export const DecidedRequests = Type.Object(
  {
    decided: Type.Integer({ minimum: 0, description: 'how many requests were decided', examples: [12] }),
    left: Type.Integer({ minimum: 0, description: 'how many requests there still are', examples: [0] }),
  },
  { $id: 'DecidedRequests', description: 'How many requests were decided, and how many are left' },
)
export type DecidedRequests = Static<typeof DecidedRequests>

/** Until when a chat is muted. */
export const ChatMute = Type.Object(
  { muted_until: NewMutedUntil },
  { $id: 'ChatMute', description: 'Until when a chat is muted' },
)
export type ChatMute = Static<typeof ChatMute>

const together =
  'Of the requests that are in the inbox, at most 1,000 a call: repeat it while some are left. The streams of the wallet get one `inbox` event.'

// Spec gap: the interface has no consent: everyone may write to everyone.
export const consent = endpoints({
  listContacts: {
    method: 'GET',
    path: '/v1/contacts',
    summary: 'What the caller has decided about other wallets, by address',
    description:
      'Every wallet with which the caller has a conversation or of which it has chosen something, or those of one state, in the order of their addresses.',
    access: 'wallet',
    query: Type.Object({
      state: Type.Optional(ContactState),
      named: Type.Optional(
        Type.Boolean({
          description: 'true: only those that the caller has given a name, whatever their state',
          examples: [true],
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1000,
          description: 'how many contacts at most: 1 to 1000; 1000 when left out',
          examples: [100],
        }),
      ),
      after: Type.Optional(
        Type.String({ ...Address, description: 'only wallets after this address: the last one you have' }),
      ),
    }),
    response: Type.Array(Contact),
    pages: true,
  },
  getContact: {
    method: 'GET',
    path: '/v1/contacts/{peer}',
    summary: 'What the caller has decided about another wallet',
    description: 'The state is unknown where the caller has chosen nothing and written nothing.',
    access: 'wallet',
    scope: 'inbox:read',
    response: Contact,
  },
  setContact: {
    method: 'PUT',
    path: '/v1/contacts/{peer}',
    summary: 'Accept, ignore, block, mute or name another wallet',
    description:
      'Writing to a wallet accepts it. Messages of an ignored wallet cause no notification and no mail; they are stored, and the view `all` of the inbox has them. Messages of a blocked wallet never reach the caller, also after the block ends: only the blocked wallet sees them, and it gets no notice of the block. To write to a blocked wallet, end the block first. The streams of the caller get a `contact` event. Repeating a request changes nothing.',
    access: 'wallet',
    adds: 'You already have {most} contacts',
    limit: 'account',
    needsRoom: false,
    body: ContactUpdate,
    response: Contact,
  },
  acceptRequests: {
    method: 'POST',
    path: '/v1/contacts/accept_all',
    summary: 'Accept all requests',
    description: together,
    access: 'wallet',
    limit: 'account',
    needsRoom: false,
    response: DecidedRequests,
  },
  clearRequests: {
    method: 'POST',
    path: '/v1/contacts/clear_requests',
    summary: 'Ignore all requests',
    description: together,
    access: 'wallet',
    limit: 'account',
    needsRoom: false,
    response: DecidedRequests,
  },
  muteChat: {
    method: 'PUT',
    path: '/v1/chats/{nftaddr}/mute',
    summary: 'Mute a chat that the caller has joined',
    description:
      'It stays in the inbox. The caller gets no notifications about its posts, and the unread count of the view main leaves it out. The streams of the caller get an `inbox` event.',
    access: 'wallet',
    limit: 'account',
    needsRoom: false,
    body: ChatMute,
    response: ChatMute,
  },
})
