import { isIP } from 'node:net'
import { isNameOfNetwork } from '../values/public-name.ts'
import { isPublic } from './addresses.ts'

/**
 * Why there is no answer. The message never names the address, which may hold what others should
 * not see.
 */
export class OutsideError extends Error {}

/** Characters of an address: what servers take (RFC 9110, 4.1). */
const longest = 8000

/** The URL of an address that may be asked, as far as can be said before its name is resolved. */
export function requireAllowed(address: string, ownHosts: readonly string[]): URL {
  if (address.length > longest) throw new OutsideError('it is too long')
  const url = URL.parse(address)
  if (!url) throw new OutsideError('it is no URL')
  const isOwn = ownHosts.includes(url.host)
  const { protocol, username, password, port } = url
  if (protocol !== 'https:' && !(isOwn && protocol === 'http:')) throw new OutsideError('it is not https')
  if (username || password) throw new OutsideError('it holds a user name or password')
  if (isOwn) return url
  // Below 1024 are the services of a machine that are no web servers: mail, SSH, LDAP.
  if (port && Number(port) < 1024) throw new OutsideError('its port is no port of a web server')
  requireHost(hostOf(url))
  return url
}

/** A host without the brackets around an address of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

function requireHost(host: string): void {
  if (isIP(host)) {
    if (!isPublic(host)) throw new OutsideError('its host is not on the public internet')
    return
  }
  const name = host.replace(/\.$/, '')
  const labels = name.split('.')
  if (name.length > 253 || labels.some((label) => label === '' || label.length > 63))
    throw new OutsideError('its host is no name')
  if (labels.length === 1 || isNameOfNetwork(name))
    throw new OutsideError('its host is a name of a private network')
}
