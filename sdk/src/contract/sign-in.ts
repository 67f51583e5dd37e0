import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, ChainId, Made, Text, Timestamp } from './fields.ts'

const KiB = 1024

// Spec gap: the content of the nonce answer.
/** A nonce for a wallet, and a message with it to sign. */
export const Nonce = Type.Object(
  {
    nonce: Made(56, 'valid for one sign-in of this wallet', ['6a1f4d2c9f86d081884c7d65']),
    Nonce: Made(56, 'the same, for clients that look for it under this name', ['6a1f4d2c9f86d081884c7d65']),
    message: Made(4096, 'a text to sign as it is (EIP-4361, or CAIP-122 for an address of Solana)', [
      'chat.example wants you to sign in with your Ethereum account:\n0xd8dA6BF2…',
    ]),
    expires_at: Timestamp,
  },
  { $id: 'Nonce', description: 'A nonce for a wallet to sign' },
)
export type Nonce = Static<typeof Nonce>

// Spec gap: which fields are needed: the wallet and its signature. The signed text is `msg`, else
// `nonce`.
/** The text that a wallet signed, and the signature. */
export const SignIn = Type.Object(
  {
    address: Address,
    msg: Type.Optional(
      Text(
        16 * KiB,
        "the signed text: EIP-4361 or CAIP-122, the nonce alone, or a text that contains the nonce and names the service's host and no other; when left out, the nonce itself is the signed text",
        {
          invisible: 'allowed',
          examples: ['chat.example wants you to sign in with your Ethereum account:\n0xd8dA6BF2…'],
        },
      ),
    ),
    nonce: Type.Optional(
      Text(KiB, 'the nonce, a hint: what counts is the one in the signed text', {
        invisible: 'allowed',
        examples: ['6a1f4d2c9f86d081884c7d65'],
      }),
    ),
    sig: Type.String({
      format: 'text',
      'x-invisible': 'allowed',
      maxLength: 2 + 16 * KiB,
      description:
        'the signature: of Ethereum (EIP-191, EIP-1271 or EIP-6492) 0x and at most 16384 hexadecimal digits; of Solana 64 bytes of Ed25519 in base58, in base64 with its ==, or in 128 hexadecimal digits',
      examples: ['0x5d99b6f7f6d1f73d1a26497f2b1c89b24c0993913f86e9a2d02cd69887d9c94f3c8807d5'],
    }),
    name: Type.Optional(
      Text(KiB, 'a name for the wallet; ignored when it is digits alone, or no valid name', {
        invisible: 'allowed',
        examples: ['vitalik'],
      }),
    ),
    session: Type.Optional(
      Type.Boolean({
        description:
          'true, from a page of this service alone: keeps the browser signed in by a cookie, and gives a token for an hour',
        examples: [false],
      }),
    ),
  },
  { $id: 'SignIn', description: 'A signed text: the proof that the caller holds the wallet' },
)
export type SignIn = Static<typeof SignIn>

export const signIn = endpoints({
  getNonce: {
    method: 'GET',
    path: '/users/{address}/nonce',
    summary: 'A nonce for a wallet, and a message with it to sign',
    description:
      'Each call gives a new nonce, valid for one sign-in within ten minutes. Earlier ones stay valid. ' +
      '`chain_id` is the chain of the wallet, which the message then names: a smart wallet is asked there, and exists on no other. `chains` of `GET /v1/service` are those that can be asked; a plain account signs for any.',
    access: 'public',
    query: Type.Object({
      chain_id: Type.Optional({
        ...ChainId,
        description:
          'the id of the chain that the message names, a whole number from 1 to 2^53-1; 1 when left out',
      }),
    }),
    response: Nonce,
  },
  signIn: {
    method: 'POST',
    path: '/signin',
    summary: 'Sign in with a signed message',
    description:
      'The token comes in the response header `Authorization: Bearer <jwt>`; with `Accept: application/jwt` it is the body. ' +
      'A smart wallet signs an EIP-4361 message that names its chain (EIP-1271, EIP-6492). ' +
      'A wallet of Solana signs a text of CAIP-122, as it is or in the envelope of a Ledger. ' +
      'Resources such as `parley:scope:dm:0x…` restrict the token to these scopes, and the statement must say the same in words: `signInText` of the SDK makes both. A site of `EMBED_ORIGINS` gets no other token. Such a token is listed as a session, and is not renewed.',
    access: 'public',
    needsRoom: false,
    body: SignIn,
    // Spec gap: the meaning of the integer.
    response: Type.Integer({ description: 'how long the token is valid, in seconds', examples: [86_400] }),
  },
  // Spec gap: the interface has no way to revoke a token.
  signOutEverywhere: {
    method: 'POST',
    path: '/v1/signout_all',
    summary: 'Sign out everywhere',
    description:
      'All sessions of the wallet end, its API keys are deleted, and its tokens, also that of this request, are no longer valid: at once on this instance, within five seconds on others. Signing in again works at once.',
    access: 'wallet',
    whenBanned: true,
    needsRoom: false,
    limit: 'account',
    changes: 0,
  },
})
