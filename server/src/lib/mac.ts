import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** Returns the HMAC-SHA256 of a text. Each purpose has its own key, derived from the service's secret (RFC 5869). */
export const mac = (secret: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', keyFor(secret, purpose)).update(text).digest()

const keys = new Map<string, KeyObject>()

/** Keys are cached after the first use: there are few secrets and few purposes. */
function keyFor(secret: string, purpose: string): KeyObject {
  const name = `${purpose}\0${secret}`
  let key = keys.get(name)
  if (!key) {
    key = createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', `parley ${purpose}`, 32)))
    keys.set(name, key)
  }
  return key
}
