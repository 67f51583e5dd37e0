import { isIP } from 'node:net'

/** No public name server knows these names, or they mean the machine or network itself (RFC 6761, 6762, 7686, 8375). */
const ofNetworks = /(^|\.)(localhost|localdomain|local|internal|lan|intranet|home\.arpa|onion)$/
/** These names belong to nobody (RFC 2606, 9476), or networks of companies and homes use them. */
const ofNobody = /(^|\.)(invalid|test|example|alt|private|corp|home)$/

export const isNameOfNetwork = (name: string): boolean => ofNetworks.test(name)

/** Returns true for a name below a top-level domain that the public internet may know. */
export function isPublicName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  if (isIP(name) !== 0 || name.length > 253 || isNameOfNetwork(name) || ofNobody.test(name)) return false
  const labels = name.split('.')
  return (
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) &&
    /^([a-z]{2,}|xn--[a-z0-9-]+)$/.test(labels.at(-1)!)
  )
}
