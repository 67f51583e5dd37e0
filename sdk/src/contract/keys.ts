import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Text, Timestamp } from './fields.ts'

const KiB = 1024

const publicPart = {
  address: Address,
  public_key: Text(
    KiB,
    'the public key others encrypt to, in the words of the client; empty when encryption is off',
    {
      examples: ['x25519:ZGVhZGJlZWY'],
    },
  ),
  signature: Text(16 * KiB, "the wallet's signature that the key is its own, checked by the peer's client", {
    examples: ['0x5d99b6f7f6d1f73d1a26497f2b1c89b24c0993913f86e9a2d02cd69887d9c94f3c8807d5'],
  }),
}
const backupIs = 'the private key, encrypted by the client so that only the wallet can open it'
const backup = Text(16 * KiB, backupIs, {
  examples: ['{"v":1,"kind":"signature"}'],
})

/** The key a wallet is written to with, for client-side encryption. The service reads none of it. */
export const PublishedKey = Type.Object(
  {
    ...publicPart,
    backup: Type.Optional(
      Type.String({
        description: `${backupIs}; shown to the wallet itself alone`,
        examples: ['{"v":1,"kind":"signature"}'],
      }),
    ),
    updated_at: Timestamp,
  },
  { $id: 'PublishedKey', description: 'The key a wallet is written to with' },
)
export type PublishedKey = Static<typeof PublishedKey>

export const NewKey = Type.Object(
  { ...publicPart, backup },
  { $id: 'NewKey', description: 'A key to publish, and its backup' },
)
export type NewKey = Static<typeof NewKey>

// Spec gap: the interface carries encrypted messages and says nothing of how people find each other's keys.
export const keys = endpoints({
  publishKey: {
    method: 'PUT',
    path: '/v1/keys/{address}',
    summary: 'Publish the key a wallet is written to with, and keep its backup',
    description:
      'For client-side encryption. All of it is opaque to the service. It takes the place of what was published before.',
    access: 'wallet',
    self: 'address',
    body: NewKey,
    response: Type.Array(PublishedKey),
  },
  getKey: {
    method: 'GET',
    path: '/v1/keys/{address}',
    summary: 'The published key of a wallet; its backup only to the wallet itself',
    description: 'An empty list when the wallet has never published one.',
    access: 'wallet',
    response: Type.Array(PublishedKey),
  },
})
