// People type or paste this to find somebody: an address, a name, a link of this service, a link of another site with
// an address in it, or a wallet URI.

import { isSolanaAddress } from '@parley/sdk/accounts.ts'
import { trimUnseen } from '@parley/sdk/unseen'
import { isEvmAddress, looksLikeAddress } from '../seal/address.ts'

/** This is the meaning of a text, before any request. */
export type Typed = { address: string } | { name: string } | { path: string } | { problem: string }

const anyAddress = /0x[0-9a-f]{40}(?![0-9a-f])/gi
const anyBase58 = /(?<!\w)[1-9A-HJ-NP-Za-km-z]{32,44}(?!\w)/g

/** CAIP-10, did:pkh, and the URI of Solana Pay. */
const ofSolana = /^(?:did:pkh:)?solana:(?:\w{1,32}:)?([1-9A-HJ-NP-Za-km-z]{32,44})(?:\?.*)?$/

export function readTyped(text: string, origin: string): Typed {
  // A copied text may have invisible characters around it, which go. Within a name they stay: without them it is
  // another name.
  const clean = trimUnseen(text)
  if (/^https?:\/\//i.test(clean)) return readLink(clean, origin)
  const uri = /^ethereum:(?:pay-)?([^@/?]+)(?:@\d+)?(?:\/(\w+))?(?:\?(.*))?$/i.exec(clean)
  if (uri) return readEthereumUri(uri)
  // A chain may precede the address, as in ERC-3770, CAIP-10 and did:pkh.
  const account = /^(?:[a-z0-9-]{1,32}:){1,4}(0x[0-9a-f]+)$/i.exec(clean) ?? ofSolana.exec(clean)
  return readPlain(account ? account[1]! : clean)
}

/** Reads a URI of ERC-681. The target of a transfer is its recipient, not the contract of the token. */
function readEthereumUri([, target, call, parameters]: RegExpExecArray): Typed {
  const recipient = call === 'transfer' ? new URLSearchParams(parameters).get('address') : null
  return readPlain(recipient ?? decode(target!))
}

function readLink(text: string, origin: string): Typed {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.origin === origin) {
    const [, page, key] = url.pathname.split('/')
    if (page === 'dm' && key) return readPlain(decode(key))
    if ((page === 'c' || page === 'nft') && key) return { path: url.pathname + url.search }
  }
  const found = text.match(anyAddress) ?? (text.match(anyBase58) ?? []).filter(isSolanaAddress)
  const [address, ...more] = new Set(found)
  if (address && more.length === 0) return readPlain(address)
  return { problem: 'There’s no wallet in this link. Paste the address instead.' }
}

function readPlain(text: string): Typed {
  if (
    /^(?:iban:)?xe\d\d(?:[0-9a-z]{30,31}|eth[0-9a-z]{13})$/i.test(text) &&
    isOneCase(text.replace(/^iban:/i, ''))
  )
    return {
      problem: 'ICAP addresses (XE…) don’t work here. Paste the address that begins with 0x.',
    }
  if (/^[0-9a-f]{40}$/i.test(text)) return { address: `0x${text}` }
  if (isEvmAddress(text)) return { address: `0x${text.slice(2)}` }
  if (/^0x[0-9a-f]{8,}$/i.test(text))
    return {
      problem: `An address has 40 characters after 0x, this has ${text.length - 2}. Copy it again.`,
    }
  if (looksLikeAddress(text)) return { address: text }
  return { name: text.replace(/^@/, '') }
}

/** Addresses of other chains that begin so have letters of both cases. */
const isOneCase = (text: string): boolean => text === text.toUpperCase() || text === text.toLowerCase()

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
