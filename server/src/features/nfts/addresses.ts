// Contracts and their metadata write addresses in these forms: IPFS (`ipfs://CID/path`, `ipfs://ipfs/CID/path`, or the CID
// alone), Arweave (`ar://id/path`), and relative to the document that they are in.

import type { Config } from '../../config/settings.ts'

export type Gateways = Pick<Config, 'ipfsGateway' | 'arweaveGateway'>

/** A file on IPFS or Arweave: the hash of its content, and the path below, as it was written. */
interface Stored {
  network: 'ipfs' | 'ar'
  id: string
  path: string
}

// A CID is version 0 in base58, or version 1 in base32, base36, base58 or base16.
const cid =
  '(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{50,}|k[a-z0-9]{40,}|z[1-9A-HJ-NP-Za-km-z]{40,}|f01[0-9a-f]{40,})'
const ofIpfs = /^ipfs:\/*(?:ipfs\/+)?([^/?#]+)(.*)$/is
const bareCid = new RegExp(`^/?(?:ipfs/)?(${cid})((?:[/?#].*)?)$`, 's')
const ofArweave = /^ar:\/*([\w-]{43})(.*)$/is

/** Reads an address on IPFS or Arweave; undefined for any other. Everything after the hash is a path, also `#` and `?`. */
export function parseStored(address: string): Stored | undefined {
  const ipfs = ofIpfs.exec(address) ?? bareCid.exec(address)
  if (ipfs) return { network: 'ipfs', id: ipfs[1]!, path: ipfs[2]! }
  const arweave = ofArweave.exec(address)
  return arweave ? { network: 'ar', id: arweave[1]!, path: arweave[2]! } : undefined
}

/** Returns the URL of a stored file at the operator's gateway; undefined without a gateway, or when the path leads out of it. */
export function gatewayUrl({ ipfsGateway, arweaveGateway }: Gateways, { network, id, path }: Stored) {
  const [gateway, root] = network === 'ipfs' ? [ipfsGateway, '/ipfs/'] : [arweaveGateway, '/']
  const url = gateway === undefined ? null : URL.parse(`${root}${id}${escapePath(path)}`, gateway)
  // `..` in an address leads only to what is on IPFS.
  return url?.pathname.startsWith(network === 'ipfs' ? root : `/${id}`) ? url : undefined
}

/** Escapes a path; what is escaped already stays as it is. */
const escapePath = (path: string): string =>
  path
    .replaceAll(/%(?![0-9a-f]{2})/gi, '%25')
    .replaceAll(/[^%/]+/g, (part) => encodeURIComponent(part.toWellFormed()))

const isAbsolute = (address: string) => /^[a-z][a-z0-9+.-]*:|^[{<]/i.test(address)

/** Resolves an address in a document at `base`; empty where it is relative and the document has no address. */
export function resolveAddress(address: string, base: string): string {
  if (isAbsolute(address) || parseStored(address)) return address
  const stored = parseStored(base)
  if (!stored) return URL.parse(address, base)?.href ?? ''
  if (address.startsWith('//')) return `https:${address}`
  // A folder on IPFS or Arweave is no URL: a `#` in its path is part of a name.
  const folder = address.startsWith('/') ? [] : stored.path.split('/').slice(1, -1)
  const path = folder
  for (const part of address.split('/'))
    if (part === '..') path.pop()
    else if (part !== '.' && part !== '') path.push(part)
  return `${stored.network}://${stored.id}/${path.join('/')}`
}
