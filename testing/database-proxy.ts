import net from 'node:net'
import { freePort } from './ports.ts'

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
