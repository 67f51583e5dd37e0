import net from 'node:net'

/** Stands between the service and its database: it can go silent, as when a machine vanishes, or be shut. */
export async function startDatabaseProxy(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const socketDir = url.searchParams.get('host')
  const target = socketDir?.startsWith('/')
    ? { path: `${socketDir}/.s.PGSQL.${url.searchParams.get('port') ?? 5432}` }
    : { host: url.hostname, port: Number(url.port || 5432) }
  const sockets = new Set<net.Socket>()
  let silent = false

  const server = net.createServer((client) => {
    const database = net.connect(target)
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
  const port = await listen(server)
  url.search = ''
  url.hostname = '127.0.0.1'
  url.port = String(port)

  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: String(url),
    /** Nothing gets through any more, and nobody is told. */
    fallSilent: () => {
      silent = true
    },
    /** What was open stays without an answer for good; what is opened now gets through. */
    speak: () => {
      cut()
      silent = false
    },
    /** Connections break, and no new ones are taken. */
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

async function listen(server: net.Server, fixed?: number): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    // The ports above 32767 are given out by the system.
    const port = fixed ?? 10_000 + Math.floor(Math.random() * 22_000)
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once('error', resolve)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', resolve)
        resolve(undefined)
      })
    })
    if (!error) return port
    if (error.code !== 'EADDRINUSE' || attempt === 20) throw error
  }
}
