// These are signatures of Standard Webhooks 1.0 (https://www.standardwebhooks.com): `v1` by a secret, `v1a` by a key pair, both
// of `id.timestamp.body`.

import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** The keys that sign: base64 of 32 bytes, and of the private key in PKCS #8. */
export interface SigningKeys {
  secret: string
  private_key: string
}

export interface Keys extends SigningKeys {
  /** The base64 of the public key's 32 bytes. */
  public_key: string
}

export function newKeys(): Keys {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    secret: randomBytes(32).toString('base64'),
    // The last 32 bytes of SubjectPublicKeyInfo are the key (RFC 8410).
    public_key: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
    private_key: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  }
}

/**
 * Returns the headers of a delivery: a receiver accepts it when one of the signatures is right. `now` is in epoch milliseconds.
 */
export function signed(
  keys: SigningKeys[],
  id: string,
  now: number,
  body: string,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(now / 1000))
  const content = `${id}.${timestamp}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((one) => signaturesBy(one, content)).join(' '),
  }
}

function signaturesBy({ secret, private_key: privateKey }: SigningKeys, content: string): string {
  const mac = createHmac('sha256', Buffer.from(secret, 'base64')).update(content).digest('base64')
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
  return `v1,${mac} v1a,${sign(null, Buffer.from(content), key).toString('base64')}`
}
