import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * The network address that a request counts for: an IPv4 address, or the /64 of an IPv6 address,
 * which is what one subscriber has. Forwarded addresses count only from trusted proxies
 * (`trustProxy` of the server decides that).
 */
export function networkOf(request: FastifyRequest): string {
  const direct = request.socket?.remoteAddress ?? ''
  return network(request.ip ?? direct) ?? network(direct) ?? 'unknown'
}

/** Undefined for a text that is no address. Some proxies forward the port as well. */
function network(text: string): string | undefined {
  const address = text.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  const version = isIP(address)
  if (version !== 6) return version === 4 ? address : undefined
  // An IPv4 address on an IPv6 socket.
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]
  return mapped ?? prefixOf(address)
}

function prefixOf(address: string): string {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const groups = head.split(':').filter(Boolean)
  // `::` stands for groups of zeros. Of the groups after it, only those among the first four
  // matter.
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
