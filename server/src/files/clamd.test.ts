import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { infected, startClamd } from '../../../testing/outside/clamd.ts'
import { problemOfClamd, scanBytes } from './clamd.ts'

async function* inPieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

test('clamd finds what is in any place of a file, and nothing in others', async () => {
  await using clamd = await startClamd()
  const scan = (bytes: Buffer) => scanBytes(clamd.url, inPieces(bytes), 10_000)
  expect(await scan(randomBytes(300_000))).toBeUndefined()
  // It lies over the end of a piece.
  const bytes = Buffer.concat([randomBytes(65_530), Buffer.from(infected), randomBytes(200_000)])
  expect(await scan(bytes)).toBe('Parley.Test.UNOFFICIAL')
  expect(clamd.scanned).toEqual([300_000, bytes.length])
  expect(await problemOfClamd(clamd.url)).toBeUndefined()
})

test('no answer, half an answer and a refusal are failures, and never mean that a file is clean', async () => {
  await using clamd = await startClamd()
  const scan = (size: number) => scanBytes(clamd.url, inPieces(randomBytes(size)), 300)
  // The answer may be lost with the connection.
  await expect(scan(31 * 2 ** 20)).rejects.toThrow(/size limit exceeded|above its StreamMaxLength/)
  for (const [fault, reason] of [
    ['hangs', 'it says nothing'],
    ['breaks off', /closed|ECONNRESET|EPIPE/],
  ] as const) {
    clamd.setFault(fault)
    await expect(scan(100)).rejects.toThrow(reason)
    await expect(scan(20 * 2 ** 20)).rejects.toThrow(reason)
    expect(await problemOfClamd(clamd.url, 300)).toMatch(/does not answer/)
  }
  const failing = async function* () {
    yield randomBytes(10)
    throw new Error('the store is away')
  }
  clamd.setFault(undefined)
  await expect(scanBytes(clamd.url, failing(), 300)).rejects.toThrow('the store is away')
  expect(clamd.scanned).toEqual([])
})
