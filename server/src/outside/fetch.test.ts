import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callOutside, type Network } from './call.ts'
import { fetchOutside } from './fetch.ts'

const bounds = { maxBytes: 1000, seconds: 5 }
const none = { privateFetchHosts: [] }

let answer: RequestListener = (_request, response) => response.end('hello')
const server = createServer((request, response) => answer(request, response))
let host = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Treats the server as a host of the operator's own. */
const own = (seconds = 5) =>
  fetchOutside({ privateFetchHosts: [host] }, `http://${host}/x`, { ...bounds, seconds })

/** Makes a network in which a name has these addresses, one list after the other; all connections lead to the server. */
function networkOf(...lists: string[][]) {
  const asked: string[] = []
  const connected: { addresses: unknown; port: unknown; servername: unknown }[] = []
  const network: Network = {
    resolve: async (name) => lists[Math.min(asked.push(name), lists.length) - 1] ?? [],
    connect: ({ lookup, port, servername }: ConnectionOptions) => {
      lookup!('', { all: true }, (_error, addresses) => connected.push({ addresses, port, servername }))
      return connect(Number(host.split(':')[1]), '127.0.0.1') as TLSSocket
    },
  }
  return { asked, connected, network }
}

test.each([
  ['http', 'http://example.org/'],
  ['a file', 'file:///etc/passwd'],
  ['FTP', 'ftp://example.org/'],
  ['IPFS', 'ipfs://bafy'],
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/plain,hello'],
  ['no URL', 'example.org/x'],
  ['nothing', ''],
  ['a user', 'https://user@example.org/'],
  ['a password', 'https://user:password@example.org/'],
  ['the port of a mail server', 'https://example.org:25/'],
  ['the port of SSH', 'https://example.org:22/'],
  ['loopback', 'https://127.0.0.1/'],
  ['loopback in short', 'https://127.1/'],
  ['loopback as a number', 'https://2130706433/'],
  ['loopback in hexadecimal', 'https://0x7f000001/'],
  ['loopback in octal', 'https://0177.0.0.1/'],
  ['loopback in wide letters', 'https://１２７.0.0.1/'],
  ['loopback with a dot behind it', 'https://127.0.0.1./'],
  ['loopback of IPv6', 'https://[::1]/'],
  ['IPv4 in IPv6', 'https://[::ffff:127.0.0.1]/'],
  ['IPv4 in IPv6, in hexadecimal', 'https://[::ffff:7f00:1]/'],
  ['NAT64', 'https://[64:ff9b::7f00:1]/'],
  ['the metadata of a cloud', 'https://169.254.169.254/latest/meta-data/'],
  ['a private network', 'https://10.0.0.1/'],
  ['unspecified', 'https://0.0.0.0/'],
  ['unspecified in short', 'https://0/'],
])('%s is not fetched: %s', async (_, address) => {
  const { network, asked, connected } = networkOf(['93.184.216.34'])
  await expect(fetchOutside(none, address, bounds, network)).rejects.toThrow(/^it |^its /)
  expect([asked, connected]).toEqual([[], []])
})

test.each([
  ['a private address', ['10.0.0.1']],
  ['loopback', ['127.0.0.1']],
  ['a public and a private address', ['93.184.216.34', '192.168.0.1']],
  ['a public and a private address of IPv6', ['2606:4700::1111', 'fd00::1']],
  ['IPv4 in IPv6', ['::ffff:10.0.0.1']],
  ['no address', []],
])('a name with %s is not fetched', async (_, addresses) => {
  const { network, connected } = networkOf(addresses)
  await expect(fetchOutside(none, 'https://evil.example/', bounds, network)).rejects.toThrow(/^its host/)
  expect(connected).toEqual([])
})

test('a name is resolved once, and the connection goes to what was checked then', async () => {
  const { network, asked, connected } = networkOf(['93.184.216.34', '2606:4700::1111'], ['127.0.0.1'])
  let seen: unknown
  answer = ({ headers, url }, response) => {
    seen = { host: headers.host, cookie: headers.cookie, authorization: headers.authorization, url }
    response.end('hello')
  }
  const bytes = await fetchOutside(none, 'https://rebinding.example/a?b=c#d', bounds, network)
  expect(bytes.toString()).toBe('hello')
  expect(asked).toEqual(['rebinding.example'])
  expect(connected).toEqual([
    {
      addresses: [
        { address: '93.184.216.34', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
      port: 443,
      servername: 'rebinding.example',
    },
  ])
  expect(seen).toEqual({
    host: 'rebinding.example',
    url: '/a?b=c',
    cookie: undefined,
    authorization: undefined,
  })
})

test('a redirect is not followed, wherever it leads', async () => {
  let requests = 0
  answer = (_request, response) => {
    requests++
    response.writeHead(302, { location: `http://${host}/elsewhere` }).end()
  }
  await expect(own()).rejects.toThrow('it answers 302')
  expect(requests).toBe(1)
})

test.each([
  ['too long', (_, response) => response.end(Buffer.alloc(1001)), 'more than 1000 bytes'],
  [
    'endless',
    (_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(100)), 1)
      response.on('close', () => clearInterval(timer))
    },
    'more than 1000 bytes',
  ],
  [
    'packed',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    'its answer is packed',
  ],
  ['an error', (_, response) => response.writeHead(500).end('no'), 'it answers 500'],
  ['broken off', (_, response) => response.socket!.destroy(), 'it cannot be reached'],
  ['cut short', (_, response) => cutShort(response), 'it cannot be reached'],
] as [string, RequestListener, string][])('an answer that is %s is refused', async (_, listener, message) => {
  answer = listener
  await expect(own()).rejects.toThrow(message)
})

function cutShort(response: Parameters<RequestListener>[1]) {
  response.writeHead(200, { 'content-length': '100' })
  response.write('x')
  setTimeout(() => response.socket!.destroy(), 20)
}

test.each([
  ['never comes', () => {}],
  [
    'comes a byte at a time',
    (_, response) => {
      const timer = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(timer))
    },
  ],
] as [string, RequestListener][])('an answer that %s is given up', async (_, listener) => {
  answer = listener
  await expect(own(0.3)).rejects.toThrow('it takes longer than 0.3 s')
})

test('a name server that never answers is given up', async () => {
  const { network } = networkOf()
  const never = { ...network, resolve: () => new Promise<string[]>(() => {}) }
  await expect(
    fetchOutside(none, 'https://slow.example/', { ...bounds, seconds: 0.2 }, never),
  ).rejects.toThrow('it takes longer than 0.2 s')
})

test('hosts of the operator are exact: another port or name is not one of them', async () => {
  answer = (_request, response) => response.end('hello')
  expect((await own()).toString()).toBe('hello')
  for (const address of [`http://localhost:${host.split(':')[1]}/`, 'http://127.0.0.1/'])
    await expect(fetchOutside({ privateFetchHosts: [host] }, address, bounds)).rejects.toThrow('not https')
})

test('what is posted arrives whole, and any status is an answer that is not followed', async () => {
  const got: { method: string | undefined; agent: string | undefined; own: unknown; body: string }[] = []
  answer = async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { method, headers } = request
    got.push({ method, agent: headers['user-agent'], own: headers['x-own'], body })
    response.writeHead(307, { location: 'http://127.0.0.1:1/', 'retry-after': '5' }).end('elsewhere')
  }
  const asking = { method: 'POST', headers: { 'x-own': 'yes' }, body: 'some text', ...bounds } as const
  const { status, headers, body } = await callOutside({ ownHosts: [host] }, `http://${host}/x`, asking)
  expect([status, headers['retry-after'], String(body)]).toEqual([307, '5', 'elsewhere'])
  expect(got).toEqual([{ method: 'POST', agent: 'Parley', own: 'yes', body: 'some text' }])
  await expect(callOutside({ ownHosts: [] }, `http://${host}/x`, asking)).rejects.toThrow('it is not https')
})
