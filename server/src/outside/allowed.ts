import { isIP } from 'node:net'
import { isNameOfNetwork } from '../values/public-name.ts'
import { isPublic } from './addresses.ts'

/** Says why there is no response. The message never names the address, which may hold secrets. */
export class OutsideError extends Error {}

/** An address has at most this many characters: servers accept that (RFC 9110, 4.1). */
const longest = 8000

/** Returns the URL of an address that may be called, as far as can be said before its name is resolved. */
export function requireAllowed(address: string, ownHosts: readonly string[]): URL {
  if (address.length > longest) throw new OutsideError('it is too long')
  const url = URL.parse(address)
  if (!url) throw new OutsideError('it is no URL')
  const isOwn = ownHosts.includes(url.host)
  const { protocol, username, password, port } = url
  if (protocol !== 'https:' && !(isOwn && protocol === 'http:')) throw new OutsideError('it is not https')
  if (username || password) throw new OutsideError('it holds a user name or password')
  if (isOwn) return url
  // Ports below 1024 belong to services of a machine that are no web servers: mail, SSH, LDAP.
  if (port && Number(port) < 1024) throw new OutsideError('its port is no port of a web server')
  requireHost(hostOf(url))
  return url
}

/** Returns a host without the brackets around an IPv6 address. */
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
