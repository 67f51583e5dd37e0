import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, ChainId, single, Text, Timestamp } from './fields.ts'

const KiB = 1024

const publicPart = {
  address: Address,
  public_key: Text(
    KiB,
    'the public key that others encrypt to, in a format of the client; empty when encryption is off',
    {
      invisible: 'allowed',
      examples: ['x25519:ZGVhZGJlZWY'],
    },
  ),
  signature: Text(
    16 * KiB,
    "the wallet's signature that the key is its own at this service, checked by the peer's client",
    {
      invisible: 'allowed',
      examples: ['0x5d99b6f7f6d1f73d1a26497f2b1c89b24c0993913f86e9a2d02cd69887d9c94f3c8807d5'],
    },
  ),
}
const backupIs = 'the private keys, encrypted by the client so that only the wallet can open them'
/** It has up to 16 keys, each under a few locks. */
const backupBytes = 32 * KiB
const backup = Text(backupBytes, backupIs, {
  invisible: 'allowed',
  examples: ['{"v":1,"kind":"signature"}'],
})

/**
 * The key that messages to a wallet are encrypted with, by clients. The service does not use it.
 */
export const PublishedKey = Type.Object(
  {
    ...publicPart,
    backup: Type.Optional(
      Text(backupBytes, `${backupIs}; shown only to the wallet itself`, {
        examples: ['{"v":1,"kind":"signature"}'],
      }),
    ),
    updated_at: Timestamp,
  },
  { $id: 'PublishedKey', description: 'The key that messages to a wallet are encrypted with' },
)
export type PublishedKey = Static<typeof PublishedKey>

/** A key to publish, and its backup. */
export const NewKey = Type.Object(
  {
    ...publicPart,
    backup,
    replaces: Type.Optional(
      Type.Union([Timestamp, Type.Literal('')], {
        description:
          'the updated_at of what it replaces, empty when there is nothing yet: 409 when that has changed meanwhile, so that no device overwrites the keys of another',
        examples: ['2026-11-20T18:30:00.123Z'],
      }),
    ),
  },
  { $id: 'NewKey', description: 'A key to publish, and its backup' },
)
export type NewKey = Static<typeof NewKey>

/** The proof of a key that a contract must confirm. */
export const KeyToVerify = Type.Object(
  {
    address: Address,
    claim: Text(
      KiB,
      'what is proven: a public key, `on`, a number and a public key, or `off` and a number, with one space between them',
      { invisible: 'refused', examples: ['on 1 pOCSkrZRwni5dyxWn1-puxPZBrRqtoyd-dwrRAn4ogk'] },
    ),
    proof: Text(
      16 * KiB,
      'the proof: `parley-contract-1.`, the chain, the number and the signature, with full stops between them',
      {
        invisible: 'refused',
        examples: ['parley-contract-1.8453.1.q80'],
      },
    ),
  },
  { $id: 'KeyToVerify', description: 'The proof of a key that a contract must confirm' },
)
export type KeyToVerify = Static<typeof KeyToVerify>

/** What the contract of a wallet says of the proof of a key. */
export const VerifiedKey = Type.Object(
  {
    holds: Type.Boolean({ description: 'whether the contract confirms the signature', examples: [true] }),
    chain_id: { ...ChainId, description: 'the chain that was asked' },
  },
  { $id: 'VerifiedKey', description: 'What the contract of a wallet says of the proof of a key' },
)
export type VerifiedKey = Static<typeof VerifiedKey>

// Spec gap: the interface has encrypted messages and does not say how wallets find each other's
// keys.
export const keys = endpoints({
  publishKey: {
    method: 'PUT',
    path: '/v1/keys/{address}',
    summary: 'Publish the key that messages to a wallet are encrypted with, and store its backup',
    description:
      'For client-side encryption. The service reads none of it. It replaces what was there: the backup holds every key of the wallet, so a client says in `replaces` what it has seen.',
    access: 'wallet',
    quotas: ['bytes'],
    self: 'address',
    body: NewKey,
    response: single(PublishedKey),
  },
  getKey: {
    method: 'GET',
    path: '/v1/keys/{address}',
    summary: 'The published key of a wallet; with its backup only for the wallet itself',
    description: 'An empty list when the wallet has never published one.',
    access: 'wallet',
    // A program that sends checks with it whether the two wallets encrypt.
    scope: ['public:read', 'inbox:read'],
    response: single(PublishedKey),
  },
  verifyKey: {
    method: 'POST',
    path: '/v1/verify_key',
    summary: 'Whether a smart wallet has signed a key, as a node of its chain says',
    description:
      'For clients that cannot ask the chain themselves: they take the word of the service for it, and say so. It asks about the text of `docs/encryption.md` for its own host alone. An answer may be ten minutes old. These reads count as those of NFTs do, 429; 502 when the chain does not answer, 503 when the service asks no node of it.',
    access: 'wallet',
    scope: ['public:read', 'inbox:read'],
    limit: 'read',
    changes: 0,
    needsRoom: false,
    body: KeyToVerify,
    response: VerifiedKey,
  },
})
