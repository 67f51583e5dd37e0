import { isAtService, serviceHost } from '../service/host.ts'

/**
 * A passkey belongs to this host for good, whatever address of the service the page has: it is the host of PUBLIC_URL
 * without its port.
 */
export const passkeyHost = new URL(`https://${serviceHost}`).hostname

/** Addresses of machines have no passkeys: `127.0.0.1`, `[::1]`. */
const isName = !/^[\d.]+$|^\[/.test(passkeyHost)
const isBelow = location.hostname === passkeyHost || location.hostname.endsWith(`.${passkeyHost}`)

/** A page that is no secure context has no passkeys. What a passkey can do shows only when it is used. */
export const arePasskeysOffered: boolean =
  isAtService && isName && isBelow && 'PublicKeyCredential' in globalThis
