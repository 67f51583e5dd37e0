// The code that proves who reads an address's mail. It follows from the id of the request and the service's secret, so it
// is kept nowhere: neither in the settings, which hold a keyed hash of it, nor in the job that mails it, which holds the id.
// A mail that is sent again carries the same code.
//
// The hash covers the address too, so a code is good for that address alone. Nobody without the secret can foresee it, so
// finding it by an index tells nothing by the time it takes.

import { canonicalEmail } from '../values/email.ts'
import { mac } from '../lib/mac.ts'
import { secretsOf } from '../config/jwt-secret.ts'

/** The code of a verification: 128 bits. */
export const verificationCode = (secret: string, id: string): string =>
  mac(secret, 'e-mail verification code', id).subarray(0, 16).toString('base64url')

/** The hashes that a code may be stored under, as secrets change. */
export const verificationHashes = (
  config: Parameters<typeof secretsOf>[0],
  email: string,
  code: string,
): Buffer[] => secretsOf(config).map((secret) => verificationHash(secret, email, code))

export const verificationHash = (secret: string, email: string, code: string): Buffer =>
  mac(secret, 'e-mail verification hash', `${canonicalEmail(email)}\0${code}`)
