// The form of sealed files, against the vectors of docs/encryption.md and against a second implementation of it, which follows that
// page with what Node.js has and knows nothing of the first.

import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import vectors from '../../../docs/encryption-vectors.json' with { type: 'json' }
import { openFile, sealedSizeOf, sealFile } from './index.ts'

const KiB = 1024

const contentOf = (size: number) => Buffer.from(Array.from({ length: size }, (_, i) => i % 251))
const sha256 = (bytes: Buffer<ArrayBuffer>) => createHash('sha256').update(bytes).digest('base64url')

function keyOf(secret: Buffer<ArrayBuffer>, content: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const json = JSON.stringify(['parley-file-1 key', content.length, sha256(content)])
  return createHmac('sha256', secret).update(json).digest()
}

/** The first sizes of a power of two and each of its sixteenths, thirty-seconds and so on, as in the paper on Padmé. */
function padded(size: number): number {
  const e = Math.floor(Math.log2(size))
  const s = Math.floor(Math.log2(e)) + 1
  const mask = 2 ** (e - s) - 1
  return size <= KiB ? KiB : Math.floor((size + mask) / (mask + 1)) * (mask + 1)
}

function partsOf(key: Buffer<ArrayBuffer>, size: number) {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'parley-file-1', 39))
  const count = Math.ceil(padded(size) / (64 * KiB))
  const nonces = Array.from({ length: count }, (_, i) => {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(i)
    return Buffer.concat([derived.subarray(32), number, Buffer.from([i === count - 1 ? 1 : 0])])
  })
  return {
    derived,
    cipher: derived.subarray(0, 32),
    nonces,
    associated: JSON.stringify(['parley-file-1', size]),
  }
}

function seal(key: Buffer<ArrayBuffer>, content: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const { cipher, nonces, associated } = partsOf(key, content.length)
  const all = Buffer.concat([content, Buffer.alloc(padded(content.length) - content.length)])
  const segments = nonces.flatMap((nonce, i) => {
    const one = createCipheriv('aes-256-gcm', cipher, nonce).setAAD(Buffer.from(associated))
    return [one.update(all.subarray(i * 64 * KiB, (i + 1) * 64 * KiB)), one.final(), one.getAuthTag()]
  })
  return Buffer.concat(segments)
}

function open(key: Buffer<ArrayBuffer>, size: number, sealed: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const { cipher, nonces, associated } = partsOf(key, size)
  const segments = nonces.map((nonce, i) => {
    const segment = sealed.subarray(i * (64 * KiB + 16), (i + 1) * (64 * KiB + 16))
    const one = createDecipheriv('aes-256-gcm', cipher, nonce, { authTagLength: 16 })
    one.setAAD(Buffer.from(associated)).setAuthTag(segment.subarray(-16))
    return Buffer.concat([one.update(segment.subarray(0, -16)), one.final()])
  })
  return Buffer.concat(segments).subarray(0, size)
}

test('every value between a file and its sealed bytes is as the vectors say, in both implementations', async () => {
  expect(vectors.files.list.map(({ segments }) => segments)).toEqual([1, 1, 1, 1, 2, 4])
  for (const vector of vectors.files.list) {
    const { size, hash } = vector
    const [secret, content] = [Buffer.from(vector.secret_hex, 'hex'), contentOf(size)]
    const key = keyOf(secret, content)
    const { derived, nonces, associated } = partsOf(key, size)
    const sealed = seal(key, content)
    expect({
      size,
      secret_hex: secret.toString('hex'),
      content_hash: sha256(content),
      key: key.toString('base64url'),
      derived_hex: derived.toString('hex'),
      padded_size: padded(size),
      segments: nonces.length,
      associated,
      first_nonce_hex: nonces[0]!.toString('hex'),
      last_nonce_hex: nonces.at(-1)!.toString('hex'),
      sealed_size: sealed.length,
      sealed_starts_hex: sealed.subarray(0, 32).toString('hex'),
      sealed_ends_hex: sealed.subarray(-32).toString('hex'),
      hash: sha256(sealed),
    }).toEqual(vector)
    const sealing = await sealFile(new Blob([content]), new Uint8Array(secret))
    expect(sealing).toMatchObject({ key: vector.key, size, sealedSize: vector.sealed_size })
    expect(await sealing.hash()).toBe(hash)
    expect(sealed.equals(await buffer(sealing.sealFrom(0)))).toBe(true)
    const opened = await buffer(openFile({ key: vector.key, size, hash }, new Blob([sealed])))
    expect(content.equals(opened)).toBe(true)
  }
})

test('what this code seals, the other implementation opens, with a secret of its own each time', async () => {
  const content = contentOf(200_000)
  const sealings = await Promise.all([sealFile(new Blob([content])), sealFile(new Blob([content]))])
  expect(sealings[0].key).not.toBe(sealings[1].key)
  for (const { key, sealFrom } of sealings) {
    const sealed = await buffer(sealFrom(0))
    expect(content.equals(open(Buffer.from(key, 'base64url'), content.length, sealed))).toBe(true)
  }
})

test('a size is padded by 3.2 % at most from 64 KiB on, by 2 KiB at most below, and the sealed size says no more', () => {
  const powers = Array.from({ length: 41 }, (_, power) => 2 ** power)
  const around = powers.flatMap((power) => [power - 1, power, power + 1, power * 1.4, power * 1.99])
  const sizes = around.map(Math.floor).filter((size) => size <= 2 ** 40)
  expect(sizes.length).toBeGreaterThan(200)
  for (const size of sizes) {
    const sealed = sealedSizeOf(size)
    const stream = padded(size)
    expect(sealed).toBe(stream + 16 * Math.ceil(stream / (64 * KiB)))
    const more = sealed - size
    expect(more, `${size}`).toBeGreaterThan(0)
    expect(more, `${size}`).toBeLessThanOrEqual(size < 64 * KiB ? 2 * KiB + 16 : size * 0.032)
  }
  // A thousand sizes of about the same have fewer than ten sealed sizes.
  const near = Array.from({ length: 1000 }, (_, i) => sealedSizeOf(10_000_000 + 1_000 * i))
  expect(new Set(near).size).toBeLessThan(10)
  for (const size of [-1, 1.5, Number.NaN, 2 ** 40 + 1]) expect(() => sealedSizeOf(size)).toThrow(RangeError)
})
