// What people type or paste when they look for somebody: an address, a name, a link of this service,
// a link of another site with an address in it, or a URI of a wallet.

import { trimUnseen } from '@parley/sdk/unseen'
import { isEvmAddress, looksLikeAddress } from '../ui/address.ts'

/** What a text means, before anything is asked. */
export type Typed = { address: string } | { name: string } | { path: string } | { problem: string }

const anyAddress = /0x[0-9a-f]{40}(?![0-9a-f])/gi

export function readTyped(text: string, origin: string): Typed {
  // What is not seen is copied along with a text. Within a name it stays: without it the name is another one.
  const clean = trimUnseen(text)
  if (/^https?:\/\//i.test(clean)) return readLink(clean, origin)
  const uri = /^ethereum:(?:pay-)?([^@/?]+)(?:@\d+)?(?:\/(\w+))?(?:\?(.*))?$/i.exec(clean)
  if (uri) return readEthereumUri(uri)
  // A chain before the address, as ERC-3770, CAIP-10 and did:pkh have it.
  const account = /^(?:[a-z0-9-]{1,32}:){1,4}(0x[0-9a-f]+)$/i.exec(clean)
  return readPlain(account ? account[1]! : clean)
}

/** ERC-681. The target of a transfer is its recipient, not the contract of the token. */
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
  const [address, ...more] = new Set((text.match(anyAddress) ?? []).map((found) => found))
  if (address && more.length === 0) return readPlain(address)
  return { problem: 'This link leads to no wallet. Paste the address itself: 0x and 40 characters.' }
}

function readPlain(text: string): Typed {
  if (
    /^(?:iban:)?xe\d\d(?:[0-9a-z]{30,31}|eth[0-9a-z]{13})$/i.test(text) &&
    isOneCase(text.replace(/^iban:/i, ''))
  )
    return {
      problem:
        'This is an ICAP address (XE…), which is not read here. Paste the address that begins with 0x.',
    }
  if (/^[0-9a-f]{40}$/i.test(text)) return { address: `0x${text}` }
  if (isEvmAddress(text)) return { address: `0x${text.slice(2)}` }
  if (/^0x[0-9a-f]{8,}$/i.test(text))
    return {
      problem: `An address has 40 characters after 0x; here are ${text.length - 2}. Copy it again, whole.`,
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
