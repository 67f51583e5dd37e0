// The forms of encrypted replies, edits and reactions, against the vectors of docs/encryption.md and against services
// that do not keep to them.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import vectors from '../../docs/encryption-vectors.json' with { type: 'json' }
import { open, openWithKey, seal } from '../src/keys/crypto/envelope.ts'
import { hasSigned } from '../src/keys/crypto/key-proof.ts'
import { quoteHash } from '../src/keys/crypto/quote.ts'
import { openReaction, sealReaction, type Target } from '../src/keys/crypto/reaction.ts'
import type { Sealed, SignedKey } from '../src/keys/crypto/scheme.ts'
import { pairOf } from './vector-keys.ts'

const isKeyOf = (wallet: string, one: SignedKey) => hasSigned(vectors.host, wallet, one)

const [alice, bob] = await Promise.all([pairOf(vectors.alice), pairOf(vectors.bob)])
const signed: SignedKey = { key: vectors.alice.public_key, sig: vectors.alice.proof }
const from = { own: alice, from: signed, peer: bob.raw }
const { reply, edit, reaction, quotes } = vectors
const headerOf = (item: Sealed) => JSON.parse(item.encrypted_sym_x_key!)

test('a quote has the hash of the vectors, with another one for each part', async () => {
  for (const { json, h, ...quoted } of quotes) {
    const { fromaddr, cid, rev, text } = quoted
    expect(JSON.stringify(['parley-hpke-2 quote', fromaddr, cid, rev, text])).toBe(json)
    expect(createHash('sha256').update(json).digest('base64url')).toBe(h)
    expect(await quoteHash(quoted)).toBe(h)
    const others = [
      { ...quoted, fromaddr: `0x${'11'.repeat(20)}` },
      { ...quoted, cid: 'other' },
      { ...quoted, rev: 1 },
      { ...quoted, text: `${text}.` },
    ]
    for (const other of others) expect(await quoteHash(other)).not.toBe(h)
  }
})

test('the reply and the edit of the vectors open, with the body that they say', async () => {
  expect(await open(reply.item, [bob], isKeyOf)).toMatchObject({
    text: reply.text,
    at: reply.at,
    re: reply.re,
  })
  expect(reply.re.h).toBe(quotes[0]!.h)
  expect(JSON.parse(reply.body)).toEqual({ t: 'text', body: reply.text, at: reply.at, re: reply.re })
  const { cid } = headerOf(vectors.version_2.item)
  expect(await open(edit.item, [bob], isKeyOf)).toMatchObject({ text: edit.text, cid, rev: 1 })
  for (const { item, text, message_key_hex } of [reply, edit])
    expect(await openWithKey(item, Buffer.from(message_key_hex, 'hex'))).toMatchObject({ text })
})

test('an edit does not open under another number, and is the same message', async () => {
  const item = { fromaddr: vectors.alice.address, toaddr: vectors.bob.address, message: 'hello' }
  const { item: first, content } = await seal(item, { ...from, at: 1 })
  const version = { cid: content.cid, rev: 1 }
  const { item: second } = await seal({ ...item, message: 'hello, all' }, { ...from, at: 2, version })
  const opened = await open(second, [bob], isKeyOf)
  expect(opened).toMatchObject({ id: content.id, rev: 1, text: 'hello, all' })
  for (const [one, rev] of [
    [first, 1],
    [second, 0],
    [second, 2],
  ] as const) {
    const moved = { ...one, encrypted_sym_x_key: JSON.stringify({ ...headerOf(one), rev }) }
    await expect(open(moved, [bob], isKeyOf)).rejects.toThrow()
  }
})

test('the reaction of the vectors opens at its message; by another wallet, at another message and with another count it does not', async () => {
  const { target, value, values, count, context } = reaction
  expect(await openReaction(value, target, [bob], isKeyOf)).toEqual({ values, count })
  expect(await openReaction(value, target, [alice], isKeyOf)).toEqual({ values, count })
  const { fromaddr, toaddr, author, cid } = target
  const belongs = ['parley-hpke-2 reaction', fromaddr, toaddr, '', '', signed.key, author, cid, count]
  expect(JSON.stringify(belongs)).toBe(context)
  const moved: Target[] = [
    { ...target, fromaddr: toaddr, toaddr: fromaddr },
    { ...target, toaddr: `0x${'11'.repeat(20)}` },
    { ...target, author: toaddr },
    { ...target, cid: headerOf(reply.item).cid },
    { ...target, nftaddr: `0x${'22'.repeat(20)}`, nftid: '1' },
  ]
  for (const other of moved) await expect(openReaction(value, other, [bob], isKeyOf)).rejects.toThrow()
  const envelope = JSON.parse(value)
  for (const change of [{ count: count + 1 }, { v: 1 }, { commit: headerOf(reply.item).commit }])
    await expect(
      openReaction(JSON.stringify({ ...envelope, ...change }), target, [bob], isKeyOf),
    ).rejects.toThrow()
})

test('a sealed reaction fits what the service takes, is no message, and has emoji alone', async () => {
  const { target } = reaction
  const three = ['👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '🧑🏿‍❤️‍💋‍🧑🏻']
  const value = await sealReaction(target, { values: three, count: Date.now() }, from)
  expect(value).toMatch(/^[\x21-\x7e]{40,2048}$/)
  expect(await openReaction(value, target, [bob], isKeyOf)).toMatchObject({ values: three })
  const { data, ...header } = JSON.parse(value)
  const asMessage: Sealed = {
    ...target,
    message: data,
    encrypted_sym_x_key: JSON.stringify({ ...header, rev: header.count }),
  }
  await expect(open(asMessage, [bob], isKeyOf)).rejects.toThrow()
  for (const values of [['call me'], ['👍👍'], ['👍', '❤️', '😂', '🎉']]) {
    const odd = await sealReaction(target, { values, count: 1 }, from)
    await expect(openReaction(odd, target, [bob], isKeyOf)).rejects.toThrow()
  }
})
