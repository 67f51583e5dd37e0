import net from 'node:net'
import { freePort } from './ports.ts'
import { createServer } from 'node:http'

interface Options {
  /** Connections of this application take half a second to open. */
  slow?: string
}

/** Starts a proxy between the service and its database. It can go silent, as when a machine vanishes, or shut down. */
export async function startDatabaseProxy(databaseUrl: string, { slow }: Options = {}) {
  const url = new URL(databaseUrl)
  const socketDir = url.searchParams.get('host')
  const target = socketDir?.startsWith('/')
    ? { path: `${socketDir}/.s.PGSQL.${url.searchParams.get('port') ?? 5432}` }
    : { host: url.hostname, port: Number(url.port || 5432) }
  const sockets = new Set<net.Socket>()
  let silent = false

  const server = net.createServer((client) => {
    const database = net.connect(target)
    // The first bytes name the application; nothing follows before they are answered.
    client.once('data', (startup) => {
      if (slow === undefined || !startup.includes(slow)) return
      database.cork()
      setTimeout(() => database.uncork(), 500).unref()
    })
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => void (silent || to.write(data)))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  const port = await freePort()
  await listen(server, port)
  url.search = ''
  url.hostname = '127.0.0.1'
  url.port = String(port)

  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: String(url),
    /** Drops every byte from now on, without closing a connection. */
    fallSilent: () => {
      silent = true
    },
    /** Ends the silence: breaks open connections, which have lost bytes; new ones get through. */
    speak: () => {
      cut()
      silent = false
    },
    /** Breaks every connection and refuses new ones. */
    async shut() {
      const closed = new Promise((resolve) => server.close(resolve))
      cut()
      await closed
    },
    open: () => listen(server, port),
    async [Symbol.asyncDispose]() {
      cut()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

function listen(server: net.Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

export interface RpcCall {
  method: string
  params: unknown[]
}

/** The response in place of the node's: a JSON-RPC error or result, raw text with a status, or `hang`; undefined forwards. */
type Interception =
  | { error: { code: number; message: string } }
  | { result: unknown }
  | { status: number; body: string }
  | 'hang'
  | undefined

/** Starts a proxy between the service and a node. It records calls, and can answer like a node that fails. */
export async function startRpcProxy(target: string) {
  const calls: RpcCall[] = []
  let intercept: (call: RpcCall) => Interception = () => undefined

  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    const call: RpcCall & { id: number } = JSON.parse(body)
    calls.push({ method: call.method, params: call.params })
    const instead = intercept(call)
    if (instead === 'hang') return
    response.setHeader('content-type', instead && 'status' in instead ? 'text/html' : 'application/json')
    if (instead === undefined) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(target, { method: 'POST', headers, body })
      response.end(await answer.text())
    } else if ('status' in instead) response.writeHead(instead.status).end(instead.body)
    else response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...instead }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the proxy does not listen')

  return {
    url: `http://127.0.0.1:${address.port}`,
    /** The calls since a test emptied this list. */
    calls,
    count: (method: string) => calls.filter((call) => call.method === method).length,
    intercept: (answer: typeof intercept) => {
      intercept = answer
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type RpcProxy = Awaited<ReturnType<typeof startRpcProxy>>
