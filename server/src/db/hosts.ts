// DATABASE_URL may have several hosts: a primary and standbys of which any may become the primary. pg knows one host, so each new
// connection gets the host that accepts writes. That host is remembered until a connection to it ends or fails; then all hosts
// are queried.

import { callbackify } from 'node:util'
import pg from 'pg'
import { databaseUrls } from '../values/database-urls.ts'
import { databaseError } from './failures.ts'
import { askServer, requireLatest } from './timeline.ts'
import { connectionTo } from './session-settings.ts'

/** This is the server that accepts writes. */
interface Primary {
  host: string
  port: number
}

interface Hosts {
  /** Throws 25006 when every host that responds is a standby, else the error of a host that does not respond. */
  find: () => Promise<Primary>
  /** When that primary is the remembered one, all hosts are queried next time. */
  forget: (primary: Primary) => void
}

/** This is the timeout for one host, in milliseconds. */
const patience = 1_000
/** After a primary has responded, the others have this many milliseconds more: there may be a later primary. */
const grace = 250

const known = new Map<string, Hosts>()

function hostsOf(url: string, urls: string[]): Hosts {
  const hosts = known.get(url) ?? createHosts(urls)
  known.set(url, hosts)
  return hosts
}

function createHosts(urls: string[]): Hosts {
  let found: Promise<Primary> | undefined
  let remembered: Primary | undefined
  const search = async () => (remembered = await findPrimary(urls))
  return {
    async find() {
      found ??= search()
      try {
        return await found
      } catch (error) {
        found = undefined
        throw error
      }
    },
    forget(primary) {
      if (primary === remembered) found = remembered = undefined
    },
  }
}

interface Answer extends Primary {
  /** The timeline is undefined for a standby. A primary from before a failover has a smaller one. */
  timeline: number | undefined
}

async function findPrimary(urls: string[]): Promise<Primary> {
  const answers: Answer[] = []
  const errors: Error[] = []
  const { promise: late, resolve: stopWaiting } = Promise.withResolvers<void>()
  const checks = urls.map(async (url) => {
    try {
      const answer = await ask(url)
      answers.push(answer)
      if (answer.timeline !== undefined) setTimeout(stopWaiting, grace)
    } catch (error) {
      errors.push(error as Error)
    }
  })
  await Promise.race([Promise.all(checks), late])
  const primaries = answers.filter(({ timeline }) => timeline !== undefined)
  const [primary] = primaries.toSorted((one, other) => other.timeline! - one.timeline!)
  if (primary) return primary
  if (answers.length > 0) throw databaseError('25006', 'none of its hosts takes writes')
  throw errors[0] ?? databaseError('08006', 'none of its hosts answers')
}

async function ask(url: string): Promise<Answer> {
  const client = new pg.Client({
    ...connectionTo(url),
    application_name: 'parley hosts',
    connectionTimeoutMillis: patience,
    query_timeout: patience,
  }).on('error', () => {})
  try {
    await client.connect()
    const server = await askServer(client)
    return { host: client.host, port: client.port, timeline: server?.timeline }
  } finally {
    void client.end().catch(() => {})
  }
}

type Connected = (error: Error | null, client: pg.Client) => void

/** Makes a pg.Client that connects to the latest primary, or to the standby that a URL with one host names. */
export function clientFor(url: string): typeof pg.Client {
  const urls = databaseUrls(url)
  const hosts = urls.length > 1 ? hostsOf(url, urls) : undefined
  return class extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      if (!callback) return this.#connect()
      callbackify(() => this.#connect())(callback)
      return undefined
    }

    async #connect(): Promise<pg.Client> {
      // The callers of connect listen only when they have the connection.
      this.on('error', () => {})
      const primary = await hosts?.find()
      const forget = () => primary && hosts?.forget(primary)
      this.once('end', forget)
      // The pool gives up a connection that takes too long by destroying its socket.
      if (this.connection.stream.destroyed) throw databaseError('08006', 'no host took writes in time')
      Object.assign(this, primary)
      try {
        await super.connect()
        await requireLatest(url, this)
        return this
      } catch (error) {
        forget()
        this.connection.stream.destroy()
        throw error
      }
    }
  }
}
