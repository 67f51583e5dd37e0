import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Made, Text, Timestamp } from './fields.ts'
import { allScopes, formsOf } from './scopes.ts'

/** The maximum number of API keys of a wallet. */
export const mostApiKeys = 20

const Label = Text(100, 'what the key is for, in words of its owner', {
  minLength: 1,
  invisible: 'refused',
  examples: ['alerts of the build server'],
})
const scopesOf = (minItems: number) =>
  Type.Array(
    Type.String({
      format: 'scope',
      description: `one of ${formsOf(allScopes).join(', ')}`,
      examples: ['inbox:read'],
    }),
    {
      minItems,
      maxItems: 20,
      description: 'what the key may do: 1 to 20 scopes',
      examples: [['inbox:read', 'dm:send']],
    },
  )

/** A key that a program uses in place of a sign-in. */
export const ApiKey = Type.Object(
  {
    id: Made(64, 'names the key, and allows nothing', ['q1vJ3mT8cK0yWz5uXb2RsA']),
    label: Label,
    scopes: scopesOf(0),
    created_at: Timestamp,
    last_used: Type.Optional(
      Made(10, 'the day (UTC) on which it was used last; left out when it never was', ['2026-11-20']),
    ),
    expires_at: Type.Optional({
      ...Timestamp,
      description: 'until when it is valid; left out when it does not expire',
    }),
    walletaddr: Type.Optional({
      ...Address,
      description: 'the wallet for which it calls: only in the answer of GET /v1/api_key',
    }),
    key: Type.Optional(
      Made(64, 'the key itself: only in the answer that makes it', [
        'prl_8J1vJ3mT8cK0yWz5uXb2RsAq1vJ3mT8cK0yWz5uXb2R',
      ]),
    ),
  },
  { $id: 'ApiKey', description: 'A key that a program uses in place of a sign-in' },
)
export type ApiKey = Static<typeof ApiKey>

export const NewApiKey = Type.Object(
  {
    label: Label,
    scopes: scopesOf(1),
    expires_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'until when it is valid, a time to come: RFC 3339; left out, the key does not expire',
        examples: ['2027-11-20T18:30:00.000Z'],
      }),
    ),
  },
  { $id: 'NewApiKey', description: 'A key to make' },
)
export type NewApiKey = Static<typeof NewApiKey>

const ApiKeys = Type.Array(ApiKey, { maxItems: mostApiKeys })

// Spec gap: the interface has no way for a program to call without the key of a wallet.
export const apiKeys = endpoints({
  createApiKey: {
    method: 'POST',
    path: '/v1/api_keys',
    summary: 'Make a key for a program',
    description: `The program sends it as \`Authorization: Bearer prl_…\`, and may do for the caller's wallet what its scopes allow. The key is in this answer alone: the service keeps a hash of it. A wallet has ${mostApiKeys} keys at most.`,
    access: 'wallet',
    grants: 'api_keys',
    adds: 'You already have {most} API keys',
    quotas: ['bytes'],
    limit: 'account',
    body: NewApiKey,
    response: ApiKeys,
  },
  listApiKeys: {
    method: 'GET',
    path: '/v1/api_keys',
    summary: "The keys of the caller's wallet, oldest first",
    description: 'Also those that have expired.',
    access: 'wallet',
    whenBanned: true,
    response: ApiKeys,
  },
  deleteApiKey: {
    method: 'DELETE',
    path: '/v1/api_keys/{api_key}',
    summary: 'Delete a key',
    description:
      'It is no longer valid: at once on this instance, within two seconds on others. Signing out everywhere deletes all keys.',
    access: 'wallet',
    whenBanned: true,
    limit: 'account',
    changes: 0,
  },
  getApiKey: {
    method: 'GET',
    path: '/v1/api_key',
    summary: 'The key that calls; an empty list for the token of a sign-in',
    access: 'wallet',
    scope: 'any',
    response: ApiKeys,
  },
})
