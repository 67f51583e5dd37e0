// The metadata of a token (ERC-721, ERC-1155) is JSON with a name and the address of a picture, at an address that the contract
// names. Both addresses may be https, IPFS or Arweave where there is a gateway, or the content itself.

import { cleanName } from '../../chains/clean-name.ts'
import type { Config } from '../../config/settings.ts'
import { OutsideError } from '../../outside/allowed.ts'
import { type Bounds, type Fetched, followOutside } from '../../outside/fetch.ts'
import { type Gateways, gatewayUrl, parseStored, resolveAddress } from './addresses.ts'

type Settings = Pick<Config, 'privateFetchHosts'> & Gateways

export interface Metadata {
  /** The name has at most 100 characters; empty when there is none. */
  name: string
  /** The address of the picture, which may be the picture; empty when there is none. */
  image: string
}

export const nothing: Metadata = { name: '', image: '' }

const ofMetadata: Bounds = { maxBytes: 1024 * 1024, seconds: 5, accept: 'application/json', redirects: 4 }
const ofPicture: Bounds = { maxBytes: 8 * 1024 * 1024, seconds: 10, accept: 'image/*', redirects: 4 }

/** Reads the metadata at an address; nothing when there is none that can be used. */
export async function readMetadata(config: Settings, address: string): Promise<Metadata> {
  const document = await read(config, address, ofMetadata)
  if (!document) return nothing
  try {
    // The decoder leaves out a byte order mark, which many documents begin with.
    const text = new TextDecoder().decode(document.body)
    const { name, image, image_url, image_data }: Record<string, unknown> = JSON.parse(text) ?? {}
    const picture = [image, image_url, image_data].find((one) => typeof one === 'string' && one !== '')
    return {
      name: typeof name === 'string' ? cleanName(name) : '',
      image: typeof picture === 'string' ? resolveAddress(picture.trim(), document.url) : '',
    }
  } catch {
    return nothing
  }
}

/** Returns the bytes of a picture, which may be anything; undefined when they cannot be read. */
export const readPicture = async (config: Settings, address: string): Promise<Buffer | undefined> =>
  (await read(config, address, ofPicture))?.body

/** Reads what is at an address, with the address that others in it are relative to; empty where there is none. */
async function read(config: Settings, address: string, bounds: Bounds): Promise<Fetched | undefined> {
  const text = address.trim()
  if (/^data:/i.test(text)) return contentOf(decodeDataUrl(text, bounds.maxBytes))
  // Some contracts give the document itself.
  if (/^[{<]/.test(text)) return contentOf(Buffer.from(text))
  try {
    const stored = parseStored(text)
    if (!stored) return await followOutside(config, text, bounds)
    const url = gatewayUrl(config, stored)
    if (!url) return undefined
    // The gateway is the operator's choice, wherever it is; the target of its redirect is not.
    const { body } = await followOutside({ privateFetchHosts: [url.host] }, url.href, bounds)
    return { body, url: text }
  } catch (error) {
    if (error instanceof OutsideError) return undefined
    throw error
  }
}

const contentOf = (body: Buffer | undefined): Fetched | undefined => body && { body, url: '' }

/** Returns the content of a data URL (RFC 2397). Contracts often leave out its escapes. */
function decodeDataUrl(address: string, maxBytes: number): Buffer | undefined {
  const comma = address.indexOf(',')
  if (comma < 0 || address.length > 2 * maxBytes) return undefined
  const content = address.slice(comma + 1)
  if (/;\s*base64\s*$/i.test(address.slice(0, comma)))
    return Buffer.from(
      content.replaceAll(/%2b/gi, '+').replaceAll(/%2f/gi, '/').replaceAll(/%3d/gi, '='),
      'base64',
    )
  try {
    return Buffer.from(decodeURIComponent(content))
  } catch {
    return Buffer.from(content)
  }
}
