import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Text, Timestamp } from './fields.ts'
import { literals } from './literals.ts'

const Event = literals(
  ['message.direct', 'request.new'],
  'message.direct: a message of a wallet that the caller has accepted, or of anyone where it takes those of everyone; request.new: of a stranger otherwise',
)

const NewWebhook = Type.Object(
  {
    url: Text(2048, 'where to post: https', { minLength: 1, examples: ['https://example.org/parley'] }),
    events: Type.Array(Event, {
      minItems: 1,
      maxItems: 2,
      description: 'what to tell',
      examples: [['message.direct']],
    }),
    is_on: Type.Optional(Type.Boolean({ description: 'false stops it for a while', examples: [true] })),
  },
  { $id: 'NewWebhook', description: 'An address that is told of what comes for a wallet' },
)
export type NewWebhook = Static<typeof NewWebhook>

export const Webhook = Type.Object(
  {
    id: Type.String({ description: 'its id', examples: ['q1vJ3mT8cK0yWz5u'] }),
    url: Type.String({ description: 'where to post', examples: ['https://example.org/parley'] }),
    events: Type.Array(Event, { description: 'what is told', examples: [['message.direct']] }),
    is_on: Type.Boolean({
      description: 'whether it is told; turned off after five days of failures',
      examples: [true],
    }),
    public_key: Type.String({
      description: 'verifies signatures `v1a` (ed25519): `whpk_` and the key in base64',
      examples: ['whpk_…'],
    }),
    secret: Type.Optional(
      Type.String({
        description:
          'verifies signatures `v1` (HMAC-SHA256): `whsec_` and the secret in base64; only when it is made',
        examples: ['whsec_…'],
      }),
    ),
    created_at: Timestamp,
    failing_since: Type.Optional({ ...Timestamp, description: 'since when no delivery has succeeded' }),
  },
  { $id: 'Webhook', description: 'An address that is told of what comes for the caller' },
)
export type Webhook = Static<typeof Webhook>

const Delivery = Type.Object(
  {
    id: Type.Integer({ description: 'of the message; below 0 for a test', examples: [42] }),
    event: Type.String({ description: 'what it tells', examples: ['message.direct'] }),
    fromaddr: Address,
    at: Timestamp,
    attempts: Type.Integer({ minimum: 0, description: 'how often it was tried', examples: [1] }),
    status: Type.Optional(
      Type.Integer({ description: 'what the address answered last; 0 is no answer', examples: [200] }),
    ),
    tried_at: Type.Optional(Timestamp),
    is_done: Type.Boolean({ description: 'whether it was taken, or given up', examples: [true] }),
  },
  { $id: 'WebhookDelivery', description: 'What an address was told' },
)

// Spec gap: the interface tells programs nothing while they are not connected.
export const webhooks = endpoints({
  createWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Have an address told of what comes for the caller',
    description:
      'By Standard Webhooks 1.0, without texts: docs/webhooks. A wallet has five at most. `secret` is in this answer alone.',
    access: 'wallet',
    limit: 'account',
    quotas: ['bytes'],
    body: NewWebhook,
    response: Type.Array(Webhook),
  },
  listWebhooks: {
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'The webhooks of the caller',
    access: 'wallet',
    response: Type.Array(Webhook),
  },
  changeWebhook: {
    method: 'PUT',
    path: '/v1/webhooks/{session}',
    summary: 'Change where or of what it is told, or turn it on or off',
    access: 'wallet',
    limit: 'account',
    needsRoom: false,
    body: NewWebhook,
    response: Type.Array(Webhook),
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v1/webhooks/{session}',
    summary: 'Delete a webhook with its deliveries',
    access: 'wallet',
    limit: 'account',
  },
  listDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/{session}/deliveries',
    summary: 'What it was told, the latest first: a hundred at most',
    access: 'wallet',
    response: Type.Array(Delivery),
  },
  replayDelivery: {
    method: 'POST',
    path: '/v1/webhooks/{session}/deliveries/{id}/replay',
    summary: 'Tell it once more, with the same id',
    access: 'wallet',
    limit: 'account',
    needsRoom: false,
  },
  testWebhook: {
    method: 'POST',
    path: '/v1/webhooks/{session}/test',
    summary: 'Tell it a test',
    description: 'The delivery is listed with what the address answered.',
    access: 'wallet',
    limit: 'account',
    needsRoom: false,
  },
})
