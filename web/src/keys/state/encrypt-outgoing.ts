import { ApiError } from '@parley/sdk'
import { cache, query } from '../../service/api.ts'
import type { Entry } from '../../thread/entries.ts'
import { fromBase64 } from '../crypto/bytes.ts'
import type { Re } from '../crypto/scheme.ts'
import { loadedKeyring } from './keyring.ts'
import { knownKey } from './known.ts'
import { rememberWritten } from './readable.ts'
import { provenCount } from './statement.ts'

/** Encrypts a message that was written to be encrypted. When that is no longer possible, it is not sent. */
export async function encryptOutgoing(entry: Entry): Promise<Entry> {
  if (entry.endpoint !== 'sendDirectMessage' || !entry.encrypt) return entry
  const ring = await loadedKeyring()
  if (ring.state !== 'open') throw refusal('Your encryption key is locked on this device.')
  const { fromaddr, toaddr } = entry.body
  const key = fromaddr === toaddr ? ring.signed.key : await keyFor(toaddr, entry.encrypt)
  const { seal } = await import('../crypto/envelope.ts')
  const sealing = {
    at: Date.parse(entry.timestamp),
    own: ring.pair,
    from: ring.signed,
    peer: fromBase64(key),
  }
  const re = await reOf(entry)
  const { item, content } = await seal(entry.body, { ...sealing, re })
  rememberWritten(item, content)
  return { ...entry, body: item }
}

/** Returns what a reply says of the message that it replies to. */
async function reOf({ quoted }: Entry): Promise<Re | undefined> {
  if (!quoted) return undefined
  const { quoteHash } = await import('../crypto/quote.ts')
  return { cid: quoted.cid, h: await quoteHash(quoted) }
}

/**
 * Returns the key to encrypt to: the known one of the peer. A message that was written for an earlier one is encrypted
 * to the one that its writer has accepted since.
 */
async function keyFor(peer: string, writtenFor: string): Promise<string> {
  const [shown] = await cache.fetchQuery({ ...query('getKey', { address: peer }), staleTime: 60_000 })
  const key = knownKey(peer)?.key ?? writtenFor
  // When the service shows none, the known one is still the peer's.
  if (!shown?.public_key || shown.public_key === key) {
    if (knownKey(peer) || (shown && (await provenCount(peer, shown)) !== undefined)) return key
    throw refusal('The recipient’s encryption key is not signed by their wallet.')
  }
  throw refusal('The recipient’s encryption key has changed. Accept the new one below, then try again.')
}

/** This error is not retried. */
const refusal = (text: string) => new ApiError('conflict', text)
