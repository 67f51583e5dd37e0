// Encrypted messages with files, against the vectors of docs/encryption.md, and a service that swaps files.

import type { AttachedFile } from '@parley/sdk/files'
import { openFile, sealFile } from '@parley/sdk/files'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import vectors from '../../docs/encryption-vectors.json' with { type: 'json' }
import { sealBody } from '../src/keys/crypto/body.ts'
import { toBase64 } from '../src/keys/crypto/bytes.ts'
import { keyOf, open, openWithKey, seal } from '../src/keys/crypto/envelope.ts'
import { hasSigned } from '../src/keys/crypto/key-proof.ts'
import type { Sealed, SignedKey } from '../src/keys/crypto/scheme.ts'
import { pairOf } from './vector-keys.ts'

const isKeyOf = (wallet: string, one: SignedKey) => hasSigned(vectors.host, wallet, one)
const [alice, bob] = await Promise.all([pairOf(vectors.alice), pairOf(vectors.bob)])
const signed: SignedKey = { key: vectors.alice.public_key, sig: vectors.alice.proof }
const from = { own: alice, from: signed, peer: bob.raw, at: 1_000 }
const clear = { fromaddr: vectors.alice.address, toaddr: vectors.bob.address, message: 'two pictures' }
const { item, files, text, at, body, message_key_hex } = vectors.with_files

/** Uploads a file: the service gives it an id, and has no key. */
async function uploaded(id: string, content: string): Promise<{ file: AttachedFile; sealed: Blob }> {
  const sealing = await sealFile(new Blob([content]))
  const { key, size } = sealing
  const hash = await sealing.hash()
  const sealed = new Blob([await buffer(sealing.sealFrom(0))])
  return { file: { id, key, hash, name: `${id}.txt`, type: 'text/plain', size }, sealed }
}

test('the message of the vectors opens with its files, whose keys open the files of the vectors', async () => {
  expect(await open(item, [bob], isKeyOf)).toMatchObject({ text, at, files, unreadable: 0 })
  expect(await openWithKey(item, Buffer.from(message_key_hex, 'hex'))).toMatchObject({ text, files })
  expect(JSON.parse(body)).toEqual({ t: 'text', body: text, at, files })
  for (const { key, hash, size } of files)
    expect(vectors.files.list).toContainEqual(expect.objectContaining({ key, hash, size }))
})

test('a file that is sent opens at the other end, and the page that sent it knows it at once', async () => {
  const { file, sealed } = await uploaded('one', 'the whole plan')
  const { item: sent, content } = await seal(clear, { ...from, files: [file] })
  const opened = await open(sent, [bob], isKeyOf)
  expect(opened).toEqual(content)
  expect((await buffer(openFile(opened.files[0]!, sealed))).toString()).toBe('the whole plan')
  // The service has neither name nor key.
  expect(JSON.stringify(sent)).not.toMatch(/one\.txt|plan/)
  expect(JSON.stringify(sent)).not.toContain(file.key)
})

test('a message without files has the bytes that it had, and none to show', async () => {
  const { item: sent } = await seal(clear, from)
  const { item: other } = await seal(clear, { ...from, files: [] })
  expect(sent.message.length).toBe(other.message.length)
  expect(await open(sent, [bob], isKeyOf)).toMatchObject({ files: [], unreadable: 0 })
  expect(await open(vectors.version_2.item, [bob], isKeyOf)).toMatchObject({ files: [], unreadable: 0 })
})

test('a service that swaps the bytes of two files, or what two messages say of them, is noticed', async () => {
  const [one, two] = await Promise.all([uploaded('one', 'pay Bob 100'), uploaded('two', 'pay Bob 999')])
  // They have the same size, so that nothing but the keys differs.
  expect(one.sealed.size).toBe(two.sealed.size)
  const { item: sent } = await seal(clear, { ...from, files: [one.file, two.file] })
  const { files: opened } = await open(sent, [bob], isKeyOf)
  const stored: Record<string, Blob> = { one: two.sealed, two: one.sealed }
  for (const file of opened)
    await expect(buffer(openFile(file, stored[file.id]!))).rejects.toThrow('it is another file')
  const { item: second } = await seal(clear, { ...from, files: [two.file] })
  for (const moved of [
    { ...sent, message: second.message },
    { ...sent, encrypted_sym_x_key: second.encrypted_sym_x_key },
  ])
    await expect(open(moved, [bob], isKeyOf)).rejects.toThrow()
})

test('a sender who later gives the service another file under the same key is found by the hash in the message', async () => {
  const { file } = await uploaded('one', 'I owe you 100')
  // Only somebody with the key can make this: it is not the content that the key was made of.
  const { segmentsWith } = await import('@parley/sdk/files/format.ts')
  const padded = new Uint8Array(1024)
  padded.set(Buffer.from('I owe you 001'))
  const forged = await (await segmentsWith(file.key, file.size)).seal(0, padded)
  await expect(buffer(openFile(file, new Blob([forged])))).rejects.toThrow('not the one that the message has')
})

test('a file that its sender describes wrongly cannot be read, and the text and the other files can', async () => {
  const { file } = await uploaded('one', 'good')
  const odd = { ...file, id: 'two', name: '../../.profile' }
  await expect(seal(clear, { ...from, files: [file, odd] })).rejects.toThrow('which its reader can read')
  // A sender with a client of its own.
  const header = { v: 2, cid: 'A'.repeat(22), rev: 0, from: signed }
  const context = ['parley-hpke-2', clear.fromaddr, clear.toaddr, '', '', signed.key, header.cid, 0]
  const made = async (value: unknown): Promise<Sealed> => {
    const written = { t: 'text', body: 'look', at: 5, files: value }
    const { data, commit, to } = await sealBody(written, context, from)
    const encrypted_sym_x_key = JSON.stringify({ ...header, commit, to })
    return { ...clear, message: toBase64(data), encrypted_sym_x_key }
  }
  const read = async (value: unknown) => open(await made(value), [bob], isKeyOf)
  expect(await read([odd, { ...file, more: 1 }])).toMatchObject({
    text: 'look',
    files: [file],
    unreadable: 1,
  })
  expect((await read([{ ...file, more: 1 }])).files).toEqual([file])
  expect(await read('all of them')).toMatchObject({ text: 'look', files: [], unreadable: 1 })
  expect(await keyOf(await made([]), [bob], isKeyOf)).toHaveLength(32)
})
