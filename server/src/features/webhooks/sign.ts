// Signatures of Standard Webhooks 1.0 (https://www.standardwebhooks.com): `v1` by a secret, `v1a` by a key pair, both of
// `id.timestamp.body`.

import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface Keys {
  /** Base64: 32 bytes, the public key's 32 bytes, and the private key in PKCS #8. */
  secret: string
  public_key: string
  private_key: string
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

/** The headers of a delivery. `now` is in epoch milliseconds. */
export function signed(keys: Keys, id: string, now: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const content = `${id}.${timestamp}.${body}`
  const mac = createHmac('sha256', Buffer.from(keys.secret, 'base64')).update(content).digest('base64')
  const key = createPrivateKey({ key: Buffer.from(keys.private_key, 'base64'), format: 'der', type: 'pkcs8' })
  const signature = sign(null, Buffer.from(content), key).toString('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${mac} v1a,${signature}`,
  }
}
