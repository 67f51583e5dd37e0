import { createHmac, hkdfSync } from 'node:crypto'

/** HMAC-SHA256 of a text under a key of its own for each purpose, derived from the service's secret. */
export const mac = (secret: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', new Uint8Array(hkdfSync('sha256', secret, '', `parley ${purpose}`, 32)))
    .update(text)
    .digest()
