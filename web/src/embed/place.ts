import { isEvmAddress } from '../seal/address.ts'
import { communityPath } from '@parley/sdk/chat-path.ts'
import { partsOf } from './scopes.ts'

export interface About {
  nftaddr: string
  nftid: string
}

/** The path asks for the owner of a token, who is not known yet. */
export interface Owned {
  kind: 'owner'
  nft: About
  chain: number | undefined
}

/** What a frame shows. */
export type Place =
  | { kind: 'dm'; peer: string; nft?: About }
  | { kind: 'chat'; chat: string }
  | { kind: 'comments'; nft: About }

const tokenNumber = /^(?:0|[1-9]\d{0,77})$/

/** Reads what the address of a frame asks for; undefined where it names nothing. */
export function readPlace(path: string): Place | Owned | undefined {
  try {
    const [kind, one = '', two = '', rest] = partsOf(path)
    if (rest !== undefined || !one || /\s/.test(one)) return undefined
    if (kind === 'chat' && !two) return { kind, chat: one }
    const asked = new URLSearchParams(path.replace(/^[^?]*/, ''))
    if (tokenNumber.test(two)) {
      const nft = { nftaddr: one, nftid: two }
      if (kind === 'comments') return { kind, nft }
      if (kind === 'owner') return { kind, nft, chain: Number(asked.get('chain')) || undefined }
    }
    if (kind !== 'dm' || two) return undefined
    const [nftaddr, nftid] = [asked.get('nft'), asked.get('token')]
    const isAbout = nftaddr && nftid && tokenNumber.test(nftid)
    return { kind, peer: one, ...(isAbout && { nft: { nftaddr, nftid } }) }
  } catch {
    // The path has a percent sign that begins no character.
    return undefined
  }
}

/** Returns the page of the client that shows the same. */
export function pageOf(place: Place | Owned, path: string): string {
  const part = encodeURIComponent
  if (place.kind === 'dm') return `/${path}`
  if (place.kind !== 'chat') return `/nft/${part(place.nft.nftaddr)}/${place.nft.nftid}`
  return isEvmAddress(place.chat) ? `/nft/${place.chat}` : communityPath(place.chat)
}
