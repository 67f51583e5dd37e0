import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { single, Timestamp } from './fields.ts'

/** This limits how many passkeys open the key of a wallet. */
export const mostGuestKeys = 5

const data = Type.String({
  pattern: '^[A-Za-z0-9_-]{80}$',
  maxLength: 80,
  'x-invisible': 'allowed',
  description:
    'the private key of the wallet, encrypted by the client: 60 bytes as base64url without padding',
  examples: ['kqvVAbL9YTvIoXbPqBwH0a1h3LkQkzq0PqYqv8cV0uN3vD6zHkq1m8Kx0T2bJ5sWd4eRgFhY7uIiOpAa'],
})

/** The key of a wallet that was made in a page, encrypted under a passkey. */
export const GuestKey = Type.Object(
  { data, created_at: Timestamp },
  { $id: 'GuestKey', description: 'The key of a wallet, encrypted under a passkey' },
)
export type GuestKey = Static<typeof GuestKey>

/** An encrypted key to store. */
export const NewGuestKey = Type.Object(
  { data },
  { $id: 'NewGuestKey', description: 'The key of a wallet, encrypted under a passkey' },
)

// Spec gap: the interface has no people without a wallet.
export const guestKeys = endpoints({
  storeGuestKey: {
    method: 'PUT',
    path: '/v1/guest_keys/{address}/{guest_key}',
    summary: 'Store the key of a wallet that was made in a page, encrypted under a passkey',
    description: `The service reads none of it. The name is a secret that the client derives from the passkey. What is stored under it is never replaced: other bytes under the same name are 409. A wallet has ${mostGuestKeys} at most, until its account is erased.`,
    access: 'wallet',
    self: 'address',
    adds: 'You already have {most} passkeys',
    limit: 'account',
    body: NewGuestKey,
    response: single(GuestKey),
  },
  getGuestKey: {
    method: 'GET',
    path: '/v1/guest_keys/{address}/{guest_key}',
    summary: 'The encrypted key under this name',
    description:
      'For signing in with a passkey. An empty list where the wallet has none of this name, whether or not it has others.',
    access: 'public',
    limit: 'public-count',
    response: single(GuestKey),
  },
})
