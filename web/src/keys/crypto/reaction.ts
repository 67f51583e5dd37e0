// This file encrypts a reaction to an encrypted message: one value, which the service stores in the place of emoji.

import { isEmoji } from '@parley/sdk/unseen'
import { type Locked, openBody, openKey, sealBody } from './body.ts'
import { fromBase64, toBase64 } from './bytes.ts'
import { CannotOpen, type IsKeyOf, type KeyPair, type SignedKey } from './scheme.ts'

/** A reaction belongs to one message, and is by one of its two ends. */
export interface Target {
  /** This wallet reacts. */
  fromaddr: string
  /** This is the other end of the conversation. */
  toaddr: string
  nftaddr?: string | undefined
  nftid?: string | undefined
  /** This wallet has sent the message. */
  author: string
  cid: string
}

/** This is the content of a sealed reaction. */
export interface Reacted {
  /** These are emoji, at most three; none when the reactions were taken back. */
  values: string[]
  /** Of two reactions of a wallet to a message the one with the higher count is the later one. */
  count: number
}

/** This is a sealed value. */
interface Envelope extends Locked {
  cid: string
  count: number
  data: string
}

/** Returns what is bound into the ciphertext. */
const contextOf = (
  { fromaddr, toaddr, nftaddr, nftid, author, cid }: Target,
  { from, count }: { from: SignedKey; count: number },
) => ['parley-hpke-2 reaction', fromaddr, toaddr, nftaddr || '', nftid || '', from.key, author, cid, count]

/** Encrypts all reactions of a wallet to a message. */
export async function sealReaction(
  target: Target,
  { values, count }: Reacted,
  { own, from, peer }: { own: KeyPair; from: SignedKey; peer: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const body = { t: 'react', values }
  const { data, commit, to } = await sealBody(body, contextOf(target, { from, count }), { own, peer })
  const { cid } = target
  return JSON.stringify({ v: 2, cid, count, from, commit, to, data: toBase64(data) } satisfies Envelope)
}

/** Decrypts a sealed value, or throws: where it is not by this wallet, or not to this message. */
export async function openReaction(
  value: string,
  target: Target,
  own: KeyPair[],
  isKeyOf: IsKeyOf,
): Promise<Reacted> {
  const envelope = JSON.parse(value) as Envelope
  const { v, count } = envelope
  if (v !== 2 || !Number.isSafeInteger(count)) throw new CannotOpen('this page does not know its form.')
  const context = contextOf(target, envelope)
  const data = fromBase64(envelope.data)
  const key = await openKey(envelope, context, data, target.fromaddr, { own, isKeyOf })
  const { t, values } = await openBody(envelope, context, data, key)
  // The service sees no sealed value, so the reader checks that it has emoji and no text.
  const isOne = (one: unknown) => typeof one === 'string' && isEmoji(one)
  if (t !== 'react' || !Array.isArray(values) || values.length > 3 || !values.every(isOne))
    throw new CannotOpen('this page does not know its form.')
  return { values: [...new Set(values)], count }
}
