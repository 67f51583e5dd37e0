import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Made, Page, single, Text, Timestamp } from './fields.ts'
import { literals } from './literals.ts'

/** The maximum number of webhooks of a wallet. */
export const mostWebhooks = 5

const eventNames = [
  'message.direct',
  'request.new',
  'message.group',
  'message.edited',
  'message.deleted',
  'member.joined',
  'command',
] as const
const Event = literals(
  [...eventNames],
  'message.direct: a message of a wallet that the caller has accepted, or of anyone where it takes those of everyone; request.new: of a stranger otherwise; message.group: a post in a chat that the caller has joined and may read; message.edited: a message of a conversation, or a post, was edited; message.deleted: a message that was deleted for both, or a post that was removed; member.joined: a wallet joined a chat that the caller owns or moderates; command: a post that begins with a word which the caller has registered (PUT /v1/chats/{nftaddr}/commands)',
)

/** The filters of a webhook. */
const narrowing = {
  chat: Type.Optional(
    Type.String({
      ...Address,
      description:
        'only of this chat: an NFT contract, or the name of a community; not with events of direct messages alone, nor with `peer`',
      examples: ['gardeners'],
    }),
  ),
  peer: Type.Optional(
    Type.String({
      ...Address,
      description: 'only of direct messages of this wallet; not with events of chats, nor with `chat`',
    }),
  ),
}

const NewWebhook = Type.Object(
  {
    url: Text(2048, 'where to post: https', {
      minLength: 1,
      invisible: 'refused',
      examples: ['https://example.org/parley'],
    }),
    events: Type.Array(Event, {
      minItems: 1,
      maxItems: eventNames.length,
      description: 'which events to send',
      examples: [['message.direct']],
    }),
    ...narrowing,
    is_on: Type.Optional(Type.Boolean({ description: 'false stops it for a while', examples: [true] })),
  },
  { $id: 'NewWebhook', description: 'An address that receives events of a wallet' },
)
export type NewWebhook = Static<typeof NewWebhook>

export const Webhook = Type.Object(
  {
    id: Made(64, 'its id', ['q1vJ3mT8cK0yWz5u']),
    url: Text(2048, 'where to post', { examples: ['https://example.org/parley'] }),
    events: Type.Array(Event, {
      maxItems: eventNames.length,
      description: 'which events are sent',
      examples: [['message.direct']],
    }),
    ...narrowing,
    is_on: Type.Boolean({
      description: 'whether it receives events; turned off after five days of failures',
      examples: [true],
    }),
    public_key: Made(128, 'verifies signatures `v1a` (ed25519): `whpk_` and the key in base64', ['whpk_…']),
    secret: Type.Optional(
      Made(
        128,
        'verifies signatures `v1` (HMAC-SHA256): `whsec_` and the secret in base64; only when it is made or changed',
        ['whsec_…'],
      ),
    ),
    created_at: Timestamp,
    rotates_until: Type.Optional({
      ...Timestamp,
      description: 'until when the keys before the last rotation sign too',
    }),
    failing_since: Type.Optional({ ...Timestamp, description: 'since when no delivery has succeeded' }),
  },
  { $id: 'Webhook', description: 'An address that receives events of the caller' },
)
export type Webhook = Static<typeof Webhook>

const Delivery = Type.Object(
  {
    id: Type.Integer({
      description:
        'of the message, or of the entry that says what was deleted or who joined; below 0 for a test',
      examples: [42],
    }),
    event: Made(64, 'the name of the event', ['message.direct']),
    fromaddr: Address,
    chat: Type.Optional(
      Type.String({
        ...Address,
        description: 'the chat of it; absent for direct messages',
        examples: ['gardeners'],
      }),
    ),
    at: Timestamp,
    attempts: Type.Integer({ minimum: 0, description: 'how often it was tried', examples: [1] }),
    status: Type.Optional(
      Type.Integer({ description: 'what the address answered last; 0 is no answer', examples: [200] }),
    ),
    tried_at: Type.Optional(Timestamp),
    is_done: Type.Boolean({ description: 'whether it was taken, or given up', examples: [true] }),
    answered: Type.Optional(
      literals(
        ['posted', 'waiting', 'refused'],
        'of a command that was answered with a text: whether it was posted, is still to be, or was refused as a post would be',
      ),
    ),
  },
  { $id: 'WebhookDelivery', description: 'An event that was sent to an address' },
)

const changing = { access: 'wallet', limit: 'account' } as const

// Spec gap: the interface notifies no programs that are not connected.
export const webhooks = endpoints({
  createWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Make a webhook: an address that receives events of the caller',
    description:
      'By Standard Webhooks 1.0, without texts: docs/webhooks. A wallet has five at most. `secret` is in this answer alone.',
    ...changing,
    grants: 'webhooks',
    adds: 'You already have {most} webhooks',
    quotas: ['bytes'],
    body: NewWebhook,
    response: single(Webhook),
  },
  listWebhooks: {
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'The webhooks of the caller',
    access: 'wallet',
    response: Type.Array(Webhook, { maxItems: mostWebhooks }),
  },
  changeWebhook: {
    method: 'PUT',
    path: '/v1/webhooks/{session}',
    summary: 'Change the address or the events of a webhook, or turn it on or off',
    description:
      'Another address, more events, or another or no `chat` or `peer` takes a sign-in that is less than an hour old. To take events away, and to turn it on or off, takes any.',
    ...changing,
    grants: 'webhooks',
    renews: true,
    needsRoom: false,
    body: NewWebhook,
    response: single(Webhook),
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v1/webhooks/{session}',
    summary: 'Delete a webhook with its deliveries',
    ...changing,
    changes: 0,
  },
  rotateWebhook: {
    method: 'POST',
    path: '/v1/webhooks/{session}/rotate',
    summary: 'Change the secret and the key pair of a webhook',
    description:
      'The ones before sign beside them for 24 hours, so that no delivery is refused meanwhile. `secret` is in this answer alone. To rotate again within that time ends the older ones.',
    ...changing,
    needsRoom: false,
    response: single(Webhook),
  },
  listDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/{session}/deliveries',
    summary: 'The deliveries of a webhook, the latest first',
    description:
      'Those that wait for another try are among them, those that wait for the first are not. The latest 100 are stored, for 30 days.',
    access: 'wallet',
    query: Type.Object({
      limit: Page.properties.limit,
      before: Type.Optional(
        Type.Integer({
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'only those before this one: the id of the last one that you have',
          examples: [42],
        }),
      ),
      failed: Type.Optional(
        Type.Boolean({ description: 'true: only those whose last try was not taken', examples: [true] }),
      ),
    }),
    response: Type.Array(Delivery),
    pages: true,
  },
  replayDelivery: {
    method: 'POST',
    path: '/v1/webhooks/{session}/deliveries/{id}/replay',
    summary: 'Send a delivery once more, with the same id',
    ...changing,
    needsRoom: false,
  },
  testWebhook: {
    method: 'POST',
    path: '/v1/webhooks/{session}/test',
    summary: 'Send a test to a webhook',
    description: 'The delivery is listed with what the address answered.',
    ...changing,
    needsRoom: false,
  },
})
