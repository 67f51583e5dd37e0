// The metadata of a token (ERC-721, ERC-1155): JSON with a name and the address of a picture, at an
// address that the contract names. Both addresses may be https, IPFS where there is a gateway, or
// the content itself as a data URL.

import { cleanName } from '../../chains/contracts.ts'
import type { Config } from '../../config/settings.ts'
import { OutsideError } from '../../outside/allowed.ts'
import { type Bounds, fetchOutside } from '../../outside/fetch.ts'

type Settings = Pick<Config, 'privateFetchHosts' | 'ipfsGateway'>

export interface Metadata {
  /** At most 100 characters; empty when there is none. */
  name: string
  /** The address of the picture, which may be the picture; empty when there is none. */
  image: string
}

export const nothing: Metadata = { name: '', image: '' }

const ofMetadata: Bounds = { maxBytes: 1024 * 1024, seconds: 5, accept: 'application/json' }
const ofPicture: Bounds = { maxBytes: 8 * 1024 * 1024, seconds: 10, accept: 'image/*' }

/** Reads the metadata at an address; nothing when there is none that can be used. */
export async function readMetadata(config: Settings, address: string): Promise<Metadata> {
  const bytes = await read(config, address, ofMetadata)
  if (!bytes) return nothing
  try {
    const { name, image, image_url }: Record<string, unknown> = JSON.parse(bytes.toString()) ?? {}
    const picture = [image, image_url].find((one) => typeof one === 'string' && one !== '')
    return {
      name: typeof name === 'string' ? cleanName(name) : '',
      image: typeof picture === 'string' ? picture : '',
    }
  } catch {
    return nothing
  }
}

/** The bytes of a picture, which may be anything; undefined when they cannot be had. */
export const readPicture = (config: Settings, address: string): Promise<Buffer | undefined> =>
  read(config, address, ofPicture)

async function read(config: Settings, address: string, bounds: Bounds): Promise<Buffer | undefined> {
  if (/^data:/i.test(address)) return decodeDataUrl(address, bounds.maxBytes)
  try {
    if (!/^ipfs:/i.test(address)) return await fetchOutside(config, address, bounds)
    const url = gatewayUrl(config.ipfsGateway, address)
    // The gateway is the operator's choice, wherever it is.
    return url && (await fetchOutside({ privateFetchHosts: [url.host] }, url.href, bounds))
  } catch (error) {
    if (error instanceof OutsideError) return undefined
    throw error
  }
}

/** Where a gateway has what is at an address of IPFS (`ipfs://…`, also written `ipfs://ipfs/…`). */
function gatewayUrl(gateway: string | undefined, address: string): URL | undefined {
  const path = address.replace(/^ipfs:\/*(ipfs\/)?/i, '')
  const url = gateway === undefined ? null : URL.parse(`/ipfs/${path}`, gateway)
  // `..` in an address leads to nothing but what is on IPFS.
  return url?.pathname.startsWith('/ipfs/') ? url : undefined
}

/** The content of a data URL (RFC 2397). Contracts often leave out its escapes. */
function decodeDataUrl(address: string, maxBytes: number): Buffer | undefined {
  const comma = address.indexOf(',')
  if (comma < 0 || address.length > 2 * maxBytes) return undefined
  const content = address.slice(comma + 1)
  if (/;\s*base64\s*$/i.test(address.slice(0, comma))) return Buffer.from(content, 'base64')
  try {
    return Buffer.from(decodeURIComponent(content))
  } catch {
    return Buffer.from(content)
  }
}
