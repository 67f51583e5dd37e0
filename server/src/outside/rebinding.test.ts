// These names have changing results, or hide a private address among others. A real name server on loopback responds, and the
// service queries it like those of its system; only the connection is the test's own, because the addresses are invented.

import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startNameServer } from '../../../testing/chains/name-server.ts'
import { callOutside, type Network, resolveBy } from './call.ts'

const server = createServer((_request, response) => response.end('hello'))
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())

type Known = Parameters<typeof startNameServer>[0]

/** Calls `https://rebinding.example/` this many times; returns the results, and the addresses that each connection was given. */
async function ask(known: Known, { times = 1, seconds = 5 } = {}) {
  await using names = await startNameServer(known)
  const connections: string[][] = []
  const network: Network = {
    resolve: resolveBy([names.server]),
    connect: ({ lookup }: ConnectionOptions) => {
      lookup!('', { all: true }, (_error, found) =>
        connections.push((found as { address: string }[]).map(({ address }) => address)),
      )
      return connect((server.address() as AddressInfo).port, '127.0.0.1') as TLSSocket
    },
  }
  const outcomes: string[] = []
  for (let n = 0; n < times; n++)
    outcomes.push(
      await callOutside(
        { ownHosts: [] },
        'https://rebinding.example/',
        { maxBytes: 1000, seconds },
        network,
      ).then(
        ({ body }) => String(body),
        (error: Error) => error.message,
      ),
    )
  return { outcomes, connections, asked: names.asked.toSorted() }
}

const inside = 'its host is not on the public internet'
const only =
  (addresses: string[], over?: string[]): Known =>
  (kind) => ({ addresses: kind === 'A' ? addresses : [], ...(over && { over }) })

test('a name that is public first and loopback the second time: one question for a call, and what was checked', async () => {
  const known: Known = (kind, times) => ({
    addresses: kind === 'AAAA' ? [] : [times === 1 ? '93.184.216.34' : '127.0.0.1'],
  })
  const once = await ask(known)
  expect(once).toEqual({
    outcomes: ['hello'],
    connections: [['93.184.216.34']],
    asked: ['A rebinding.example', 'AAAA rebinding.example'],
  })
  // The second call uses nothing of the first: no address, no connection.
  const twice = await ask(known, { times: 2 })
  expect(twice.outcomes).toEqual(['hello', inside])
  expect(twice.connections).toEqual([['93.184.216.34']])
  expect(twice.asked.filter((one) => one.startsWith('A '))).toHaveLength(2)
})

test.each<[string, Known]>([
  ['one of several is private', only(['93.184.216.34', '1.1.1.1', '10.0.0.5'])],
  ['the private one is first', only(['127.0.0.1', '93.184.216.34'])],
  ['an alias leads to a private address', only(['192.168.1.1'], ['router.example'])],
  ['an alias leads over a public name to localhost', only(['127.0.0.1'], ['www.example.org', 'localhost'])],
  [
    'the IPv6 address beside a public one is private',
    (kind) => ({ addresses: kind === 'A' ? ['93.184.216.34'] : ['fd00::1'] }),
  ],
  [
    'the IPv6 address holds an IPv4 one',
    (kind) => ({ addresses: kind === 'A' ? ['93.184.216.34'] : ['::ffff:a9fe:a9fe'] }),
  ],
  [
    'the IPv6 address is translated to a private one',
    (kind) => ({ addresses: kind === 'A' ? [] : ['64:ff9b::7f00:1'] }),
  ],
  [
    'only the question for IPv6 has an answer, and it is private',
    (kind) => (kind === 'A' ? 'fails' : { addresses: ['::1'] }),
  ],
  [
    'the ninth of many is private',
    only([...Array.from({ length: 8 }, (_, n) => `93.184.216.${n + 1}`), '10.0.0.1']),
  ],
])('refused: %s', async (_, known) => {
  expect(await ask(known)).toMatchObject({ outcomes: [inside], connections: [] })
})

test('the connection is given all that was checked, and eight at most', async () => {
  const both: Known = (kind) => ({
    addresses: kind === 'A' ? ['93.184.216.34', '1.1.1.1'] : ['2606:4700::1111'],
  })
  expect((await ask(both)).connections).toEqual([['93.184.216.34', '1.1.1.1', '2606:4700::1111']])
  const alias = only(['93.184.216.34'], ['edge.example'])
  expect(await ask(alias)).toMatchObject({ outcomes: ['hello'], connections: [['93.184.216.34']] })
  const many = await ask(only(Array.from({ length: 20 }, (_, n) => `93.184.216.${n + 1}`)))
  expect(many.connections[0]).toHaveLength(8)
})

test.each<[string, Known]>([
  ['is not known', () => 'unknown'],
  ['has no address', () => ({ addresses: [] })],
  ['is an alias of nothing', () => ({ addresses: [], over: ['localhost'] })],
])('a name that %s is not asked', async (_, known) => {
  expect(await ask(known)).toMatchObject({ outcomes: ['its host has no address'], connections: [] })
})

test('a name server that is silent is given up', async () => {
  const { outcomes, connections } = await ask(() => 'silent', { seconds: 0.5 })
  expect([outcomes, connections]).toEqual([['it takes longer than 0.5 s'], []])
})
