import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Returns the network address that a request counts for: an IPv4 address, or the /64 of an IPv6 address, which is what one
 * subscriber has. Forwarded addresses count only from trusted proxies (`trustProxy` of the server decides that).
 */
export function networkOf(request: FastifyRequest): string {
  const direct = request.socket?.remoteAddress ?? ''
  return network(request.ip ?? direct) ?? network(direct) ?? 'unknown'
}

/** Does the same for one address; undefined for any other text. Some proxies forward the port as well. */
export function network(text: string): string | undefined {
  const address = text.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  const version = isIP(address)
  if (version !== 6) return version === 4 ? address : undefined
  // This is an IPv4 address on an IPv6 socket.
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]
  return mapped ?? prefixOf(address)
}

/**
 * Returns the /48 of an IPv6 network, which is what a site may have, and anybody from free providers: its 65,536 networks share a
 * budget. It is undefined for anything but an IPv6 network.
 */
export function siteOf(one: string): string | undefined {
  const prefix = /^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/.exec(one)?.[1]
  return prefix && `${prefix}:/48`
}

/** Returns the address whose turns are counted together: a network address, for IPv6 its /48. */
export const placeOnNet = (one: string): string => siteOf(one) ?? one

function prefixOf(address: string): string {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const groups = head.split(':').filter(Boolean)
  // `::` stands for groups of zeros. Only groups among the first four matter after it.
  const rest = tail?.split(':').filter(Boolean) ?? []
  const all =
    tail === undefined
      ? groups
      : [...groups, ...Array(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** Makes a test whether an address is one of the trusted proxies. */
export function proxyTest(trusted: string[]): (address: string | undefined) => boolean {
  const proxies = new BlockList()
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/')
    const family = familyOf(address)
    if (bits === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(bits), family)
  }
  return (text = '') => {
    const address = text.replace(/%.*$/, '')
    return isIP(address) > 0 && proxies.check(address, familyOf(address))
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
