// These servers respond in harmful ways. They are plain sockets, so that they may break the rules of HTTP.

import { execFile } from 'node:child_process'
import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { callOutside } from './call.ts'

async function listen(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Calls a server that does this with each connection, once the request has begun. */
async function ask(
  answer: (socket: Socket) => void,
  { seconds = 5, body = '', ...more }: { seconds?: number; body?: string; byStatus?: true } = {},
) {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  const host = await listen(server)
  try {
    const asking = { method: 'POST', body, maxBytes: 1000, seconds, ...more } as const
    const outcome = await callOutside({ ownHosts: [host] }, `http://${host}/`, asking).then(
      (got) => `${got.status} ${got.body.length}${got.isWhole ? '' : ' not whole'}`,
      (error: Error) => error.message,
    )
    return { outcome, connections }
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

const every = (socket: Socket, milliseconds: number, text: string) => {
  const timer = setInterval(() => socket.write(text), milliseconds)
  socket.on('close', () => clearInterval(timer))
}
const head = 'HTTP/1.1 200 OK\r\n'

test.each<[string, (socket: Socket) => void, string]>([
  [
    'headers of 20 KB',
    (socket) => socket.write(`${head}x: ${'a'.repeat(20_000)}\r\n\r\n`),
    'it cannot be reached',
  ],
  [
    'headers without end',
    (socket) => {
      socket.write(head)
      every(socket, 1, `x: ${'a'.repeat(100)}\r\n`)
    },
    'it cannot be reached',
  ],
  [
    'trailers of 20 KB',
    (socket) =>
      socket.write(
        `${head}transfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
      ),
    'it cannot be reached',
  ],
  [
    'an offer of another protocol',
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    'it cannot be reached',
  ],
  ['what is no HTTP', (socket) => socket.write('220 mail.example ESMTP\r\n'), 'it cannot be reached'],
  [
    'two lengths',
    (socket) => socket.write(`${head}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`),
    'it cannot be reached',
  ],
  [
    'a short length and more behind it',
    (socket) => socket.write(`${head}content-length: 1\r\n\r\n${'x'.repeat(5000)}`),
    '200 1',
  ],
  [
    'much that is packed in little',
    (socket) => {
      const packed = gzipSync(Buffer.alloc(1_000_000))
      socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`)
      socket.write(packed)
    },
    'its answer is packed',
  ],
  [
    'much that is packed on its way',
    (socket) => {
      const packed = gzipSync(Buffer.alloc(100_000))
      socket.write(`${head}transfer-encoding: gzip\r\n\r\n`)
      socket.end(packed)
    },
    `200 ${gzipSync(Buffer.alloc(100_000)).length}`,
  ],
])('an answer with %s', async (_, answer, outcome) => {
  expect(await ask(answer)).toEqual({ outcome, connections: 1 })
})

test.each<[string, (socket: Socket) => void, string]>([
  [
    '70 kB',
    (socket) => socket.end(`${head}content-length: 70000\r\n\r\n${'x'.repeat(70_000)}`),
    '200 0 not whole',
  ],
  [
    'no end, fast',
    (socket) => {
      socket.write(`${head}\r\n`)
      every(socket, 1, 'x'.repeat(100))
    },
    '200 1000 not whole',
  ],
  [
    'no end, slowly',
    (socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n1\r\nx\r\n`)
    },
    '200 1 not whole',
  ],
  ['less than it says', (socket) => socket.end(`${head}content-length: 10\r\n\r\nok`), '200 2 not whole'],
  ['packed bytes', (socket) => socket.end(`${head}content-encoding: gzip\r\n\r\nxx`), '200 0 not whole'],
  ['a few bytes', (socket) => socket.end(`${head}content-length: 2\r\n\r\nok`), '200 2'],
])('where the status decides, a body with %s is no failure', async (_, answer, outcome) => {
  expect(await ask(answer, { seconds: 10, byStatus: true })).toEqual({ outcome, connections: 1 })
})

test.each<[string, (socket: Socket) => void]>([
  [
    'sends its headers a byte at a time',
    (socket) => {
      socket.write(`${head}x: `)
      every(socket, 20, 'a')
    },
  ],
  [
    'says again and again that it works on it',
    (socket) => every(socket, 5, 'HTTP/1.1 102 Processing\r\n\r\n'),
  ],
  [
    'sends empty chunks of a list',
    (socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
      every(socket, 20, '1\r\nx\r\n')
    },
  ],
  ['is silent', () => {}],
])('a server that %s is given up after the time for all of it', async (_, answer) => {
  const started = performance.now()
  expect(await ask(answer, { seconds: 0.4 })).toEqual({
    outcome: 'it takes longer than 0.4 s',
    connections: 1,
  })
  expect(performance.now() - started).toBeLessThan(2000)
})

test('a server that answers and breaks off before it has read all does not end this process', async () => {
  const body = 'x'.repeat(5_000_000)
  const answer = (socket: Socket) => {
    socket.write(`${head}content-length: 2\r\n\r\nok`)
    setTimeout(() => socket.resetAndDestroy(), 1)
  }
  const outcomes = new Set<string>()
  for (let n = 0; n < 10; n++) outcomes.add((await ask(answer, { body })).outcome)
  expect([...outcomes].filter((one) => one !== '200 2' && one !== 'it cannot be reached')).toEqual([])
})

test('two calls are two connections', async () => {
  let connections = 0
  const server = createWebServer((_request, response) => response.end('ok')).on('connection', () => {
    connections++
  })
  const host = await listen(server)
  for (let n = 0; n < 3; n++)
    await callOutside({ ownHosts: [host] }, `http://${host}/`, { maxBytes: 10, seconds: 5 })
  expect(connections).toBe(3)
  server.closeAllConnections()
  server.close()
})

test('a proxy of the environment is not used', async () => {
  const seen: string[] = []
  const server = createWebServer((request, response) => response.end(request.url))
  const proxy = createWebServer((request, response) => {
    seen.push(request.url!)
    response.end('from the proxy')
  })
  const [host, proxyHost] = [await listen(server), await listen(proxy)]
  const script = `
    const { callOutside } = await import(${JSON.stringify(path.join(import.meta.dirname, 'call.ts'))})
    const plain = await (await fetch('http://${host}/plain')).text()
    const { body } = await callOutside({ ownHosts: ['${host}'] }, 'http://${host}/outside', { maxBytes: 100, seconds: 5 })
    console.log(JSON.stringify([plain, String(body)]))`
  const proxies = Object.fromEntries(
    ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [
      name,
      `http://${proxyHost}`,
    ]),
  )
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--no-warnings', '-e', script],
    { env: { ...process.env, ...proxies, no_proxy: '', NO_PROXY: '', NODE_USE_ENV_PROXY: '1' } },
  )
  // The first call shows that there is a proxy.
  expect(JSON.parse(stdout)).toEqual(['from the proxy', '/outside'])
  expect(seen).toHaveLength(1)
  for (const one of [server, proxy]) {
    one.closeAllConnections()
    one.close()
  }
})
