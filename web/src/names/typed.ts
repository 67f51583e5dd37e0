// What people type or paste when they look for somebody: an address, a name, a link of this service,
// a link of another site with an address in it, or a URI of a wallet.

import { isEvmAddress, looksLikeAddress } from '../ui/address.ts'

/** What a text means, before anything is asked. */
export type Typed = { address: string } | { name: string } | { path: string } | { problem: string }

// What is copied with a text and not seen: zero-width characters, marks of direction.
const invisible = /\p{Cf}/gu
const anyAddress = /0x[0-9a-f]{40}(?![0-9a-f])/gi

export function readTyped(text: string, origin: string): Typed {
  const clean = text.replace(invisible, '').trim()
  if (/^https?:\/\//i.test(clean)) return readLink(clean, origin)
  const uri = /^ethereum:(?:pay-)?([^@/?]+)(?:@\d+)?(?:\/(\w+))?(?:\?(.*))?$/i.exec(clean)
  if (uri) return readEthereumUri(uri)
  // CAIP-10, and did:pkh which has one.
  const account = /^(?:did:pkh:)?eip155:\d+:(0x[0-9a-f]+)$/i.exec(clean)
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
  if (/^[0-9a-f]{40}$/i.test(text)) return { address: `0x${text}` }
  if (isEvmAddress(text)) return { address: `0x${text.slice(2)}` }
  if (/^0x[0-9a-f]{8,}$/i.test(text))
    return {
      problem: `An address has 40 characters after 0x; here are ${text.length - 2}. Copy it again, whole.`,
    }
  if (looksLikeAddress(text)) return { address: text }
  return { name: text.replace(/^@/, '') }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
