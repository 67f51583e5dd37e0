// Connects to the servers of NATS_URL. The connection is made in the background and retried forever.

import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node'
import type { Logger } from 'pino'
import { busConnected } from '../telemetry/metrics.ts'

/** This is called with the subject of a message and its text. */
type Receive = (subject: string, text: string) => void

interface Nats extends AsyncDisposable {
  /** Connects, if that has not been done. */
  open: () => void
  readonly isConnected: boolean
  /** Sends a message, or nothing while the servers are away: nothing is queued for later. */
  send: (subject: string, text: string) => void
  /** A message has at most this many bytes; 0 before the first connection. */
  readonly largest: number
}

/**
 * Opens a connection to one of the servers, URLs with the scheme nats or tls, all with the same user and password, or token.
 * `subscriptions` are made on it by subject.
 */
export function openNats(servers: string[], log: Logger, subscriptions: Map<string, Receive>): Nats {
  let connection: NatsConnection | undefined
  let isConnected = false
  let opening: Promise<void> | undefined
  let isClosed = false

  function setConnected(is: boolean): void {
    busConnected.set({ bus: 'nats' }, Number(is))
    if (is !== isConnected && !isClosed)
      log.info(is ? 'connected to NATS' : 'NATS is away: the database wakes the instances')
    isConnected = is
  }

  async function open(): Promise<void> {
    setConnected(false)
    connection = await connect({
      ...whereTo(servers),
      name: 'parley',
      noEcho: true,
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 500,
      pingInterval: 5000,
    })
    if (isClosed) return connection.close()
    for (const [subject, receive] of subscriptions)
      connection.subscribe(subject, {
        callback: (error: Error | null, message: Msg) => {
          if (error) log.warn(`NATS refuses a subscription: ${error.message}`)
          else receive(message.subject, message.string())
        },
      })
    setConnected(true)
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'close') setConnected(false)
      if (type === 'reconnect') setConnected(true)
    }
  }

  return {
    open() {
      opening ??= open().catch((error: Error) => log.warn(`NATS cannot be used: ${error.message}`))
    },
    get isConnected() {
      return isConnected
    },
    send(subject, text) {
      if (isConnected) connection!.publish(subject, text)
    },
    get largest() {
      return connection?.info?.max_payload ?? 0
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await connection?.close()
    },
  }
}

function whereTo(servers: string[]) {
  const { protocol, username, password } = new URL(servers[0]!)
  const [user, pass] = [username, password].map(decodeURIComponent) as [string, string]
  return {
    servers: servers.map((server) => new URL(server).host),
    ...(pass && { user, pass }),
    ...(user && !pass && { token: user }),
    ...(protocol === 'tls:' && { tls: {} }),
  }
}
