import ipaddr from 'ipaddr.js'

/**
 * Returns true for an IP address of the public internet. For IPv4 that is every address without a special purpose (RFC 6890), for
 * IPv6 every address in 2000::/3, the part given out for it, without the ranges in there that carry an IPv4 address (6to4,
 * Teredo) or are for documentation. So neither an IPv4 address in IPv6 (`::ffff:127.0.0.1`) nor one behind a translator
 * (`64:ff9b::`) is public.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast))
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
