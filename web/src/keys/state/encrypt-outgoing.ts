import { ApiError } from '@parley/sdk'
import { cache, query } from '../../service/api.ts'
import type { Entry } from '../../thread/entries.ts'
import { fromBase64 } from '../crypto/bytes.ts'
import type { KeyPair, Re, SignedKey, Version } from '../crypto/scheme.ts'
import { highestOf } from './highest.ts'
import { loadedKeyring } from './keyring.ts'
import { knownKey } from './known.ts'
import { reactionName, rememberReaction } from './read-reactions.ts'
import { rememberWritten } from './readable.ts'
import { provenCount } from './statement.ts'

/** This encrypts to a peer. */
interface Keys {
  own: KeyPair
  from: SignedKey
  peer: Uint8Array<ArrayBuffer>
}

/** Encrypts what was written to be encrypted: a message, an edit or a reaction. When that is no longer possible, it is not sent. */
export async function encryptOutgoing(entry: Entry): Promise<Entry> {
  if (!entry.encrypt || entry.endpoint === 'postGroupMessage' || entry.endpoint === 'createComment')
    return entry
  const ring = await loadedKeyring()
  if (ring.state !== 'open') throw refusal('Your encryption key is locked on this device.')
  const ends = entry.endpoint === 'sendDirectMessage' ? entry.body : entry.of
  if (!ends) throw refusal('Its message is not here.')
  const peer = ends.fromaddr === ring.address ? ends.toaddr : ends.fromaddr
  const key = peer === ring.address ? ring.signed.key : await keyFor(peer, entry.encrypt)
  const keys = { own: ring.pair, from: ring.signed, peer: fromBase64(key) }
  if (entry.endpoint === 'react') return sealedReaction(entry, { fromaddr: ring.address, toaddr: peer }, keys)
  const { seal } = await import('../crypto/envelope.ts')
  const re = entry.version?.re ?? (await reOf(entry))
  const { message } = entry.body
  const { files, timestamp } = entry
  const sealing = { ...keys, at: Date.parse(timestamp), version: versionOf(entry), re, files }
  const { item, content } = await seal({ ...ends, message }, sealing)
  rememberWritten(item, content)
  const { encrypted_sym_x_key, x_access_conditions } = item
  const body = { ...entry.body, message: item.message, encrypted_sym_x_key, x_access_conditions }
  return { ...entry, body } as Entry
}

/** The service may show an older version than this browser has opened: the next one is later than all. */
const versionOf = ({ version, of }: Entry): Version | undefined =>
  version && of && version.rev > 0
    ? { cid: version.cid, rev: Math.max(version.rev, highestOf(`${of.fromaddr} ${version.cid}`) + 1) }
    : version

/** Encrypts reactions for their message. Those of a later time have a higher count. */
async function sealedReaction(
  entry: Extract<Entry, { endpoint: 'react' }>,
  ends: { fromaddr: string; toaddr: string },
  keys: Keys,
): Promise<Entry> {
  const { of, version, values, timestamp } = entry
  if (!of || !version) throw refusal('Its message is not here.')
  const { nftaddr, nftid, fromaddr: author } = of
  const target = { ...ends, nftaddr, nftid, author, cid: version.cid }
  const count = Math.max(Date.parse(timestamp), highestOf(reactionName(target)) + 1)
  const { sealReaction } = await import('../crypto/reaction.ts')
  const value = await sealReaction(target, { values, count }, keys)
  rememberReaction(value, target, { values, count })
  return { ...entry, body: { values: [value] } }
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
