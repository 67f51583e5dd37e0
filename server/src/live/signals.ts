// Instances that share a database wake each other by NOTIFY: after a commit, never inside a transaction, where it would take a
// lock that all commits of the database share. It says only that there is something to read, which is in the tables, and where
// the write-ahead log ended then: a standby shows what was committed when it has replayed that. Only typing travels in it,
// because it is never stored.
//
// A separate connection listens and notifies. When it breaks it is opened again, with backoff; meanwhile nothing is lost, because
// every hub also polls by itself once a second.

import type pg from 'pg'
import type { Logger } from 'pino'
import { newClient } from '../db/client.ts'
import { createBackoff } from '../lib/backoff.ts'
import { parseTypings, nextPayload, type Typing } from './typing.ts'

interface Signals extends AsyncDisposable {
  /** Opens the connection, if that has not been done. Settles when this instance listens, or the first attempt has failed. */
  open: () => Promise<void>
  /** Wakes the other instances, soon; many calls are one signal. */
  wake: () => void
  /** Notifies the other instances that someone is typing. */
  typing: (typing: Typing) => void
}

interface Options {
  /** This is the URL of the database. */
  url: string
  log: Logger
  /**
   * This is called when an instance has written something, with a position of the write-ahead log after it, or when its signal
   * may have been missed.
   */
  onWake: (position?: string) => void
  /** This is called when a signal was sent, with the position that it names. */
  onSent: (position: string) => void
  onTyping: (typing: Typing) => void
}

const channel = 'parley_events'
/** Two signals have a pause between them, in milliseconds. */
const pause = 10
const maxTyping = 100
const pingEvery = 15_000
const limits = { keepAlive: true, connectionTimeoutMillis: 5000, query_timeout: 5000 }

/** Sends a position of the write-ahead log, a space and the rest. Returns the position. */
async function notify(on: pg.Client, rest: string): Promise<string> {
  const { rows } = await on.query<{ position: string }>({
    // It is prepared: under load there are a hundred a second.
    name: 'signal',
    text: `select position, pg_notify($1, position || ' ' || $2)
     from (select pg_current_wal_lsn()::text as position) log`,
    values: [channel, rest],
  })
  return rows[0]!.position
}

/** Returns the parts of a received payload. It may be anything: every user of the database may notify. */
function partsOf(payload: string) {
  const [, position, rest = ''] = /^(?:([\dA-F]{1,8}\/[\dA-F]{1,8}) )?(.*)$/s.exec(payload) ?? []
  return { position, rest }
}

export function openSignals({ url, log, onWake, onSent, onTyping }: Options): Signals {
  let client: pg.Client | undefined
  let opened: Promise<void> | undefined
  let isClosed = false
  const backoff = createBackoff({ first: 100, longest: 5000, random: true })
  let isBroken = false
  let wanted = false
  let typings: Typing[] = []
  let busy = false
  // A connection that does not respond is cut, so that its end is noticed.
  const ping = setInterval(() => {
    const pinged = client
    pinged?.query('select 1').catch(() => pinged.connection.stream.destroy())
  }, pingEvery).unref()

  async function connect(): Promise<void> {
    const next = newClient({ url, name: 'parley events', ...limits })
    next.on('notification', ({ processId, payload }) => {
      if (processId !== backendOf(next)) receive(payload ?? '')
    })
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
      next.once('end', () => reconnect(new Error('the connection ended')))
      client = next
      backoff.reset()
      isBroken = false
      if (isClosed) return void next.end().catch(() => {})
      onWake()
      void flush()
    } catch (error) {
      void next.end().catch(() => {})
      reconnect(error as Error)
    }
  }

  function reconnect(error: Error): void {
    client = undefined
    if (isClosed) return
    if (!isBroken) log.warn(`live events have lost their connection: ${error.message}`)
    isBroken = true
    setTimeout(() => isClosed || void connect(), backoff.next()).unref()
  }

  function receive(payload: string): void {
    const { position, rest } = partsOf(payload)
    onWake(position)
    for (const typing of parseTypings(rest)) onTyping(typing)
  }

  async function open(): Promise<void> {
    if (!isClosed) await (opened ??= connect())
  }

  /** Sends waiting signals at once, then not again before a pause. */
  async function flush(): Promise<void> {
    if (busy) return
    busy = true
    for (let on = client; on && (wanted || typings.length > 0); on = client) {
      const sent = typings.length > 0 ? nextPayload(typings) : ''
      wanted = false
      await notify(on, sent).then(onSent, () => {})
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
    busy = false
  }

  return {
    open,
    wake() {
      void open()
      wanted = true
      void flush()
    },
    typing(typing) {
      void open()
      if (typings.length < maxTyping) typings.push(typing)
      void flush()
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearInterval(ping)
      typings = []
      await client?.end().catch(() => {})
    },
  }
}

const backendOf = (client: pg.Client) => (client as unknown as { processID: number | null }).processID
