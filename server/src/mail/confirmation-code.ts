// The code proves who reads an address's mail. It is computed from the id of the request and the service's secret, so it is
// stored nowhere: the settings hold a keyed hash of it, and the job that mails it holds the id. A retried mail has the same code.
//
// The hash covers the address too, so a code is valid for that address only. Without the secret a hash cannot be predicted, so
// the time of a look-up by index reveals nothing.

import { canonicalEmail } from '../values/email.ts'
import { mac } from '../lib/mac.ts'
import { secretsOf } from '../config/jwt-secret.ts'

/** Returns the code of a verification: 128 bits. */
export const verificationCode = (secret: string, id: string): string =>
  mac(secret, 'e-mail verification code', id).subarray(0, 16).toString('base64url')

/** Returns the hashes that a code may be stored under, as secrets change. */
export const verificationHashes = (
  config: Parameters<typeof secretsOf>[0],
  email: string,
  code: string,
): Buffer[] => secretsOf(config).map((secret) => verificationHash(secret, email, code))

export const verificationHash = (secret: string, email: string, code: string): Buffer =>
  mac(secret, 'e-mail verification hash', `${canonicalEmail(email)}\0${code}`)
