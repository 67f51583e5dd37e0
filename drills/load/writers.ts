// These clients write as clients should: each write carries an Idempotency-Key and is retried, with the same key, until it has a
// response. The ledger records each write before its request and after its response.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry } from '../check/ledger.ts'
import type { Random } from '../random.ts'
import { type ClientsOptions, openAttempts } from './attempts.ts'
import { openChanges } from './changes.ts'
import { post, textOf } from './requests.ts'

interface WritersOptions extends ClientsOptions {
  /** Characters added to each message. */
  padding: number
  /** Messages a second, at most. */
  rate: number
  writers: number
  /** Wallets also reply, edit and react. */
  changes: boolean
}

export type Writers = ReturnType<typeof startWriters>

/** Starts writers, which run until they are stopped. */
export function startWriters(options: WritersOptions) {
  const { wallets, ledger, random, urls, report, ended, prefix, padding, rate, writers } = options
  const attempts = openAttempts({ wallets, urls, report, ended })
  const changes = openChanges(options, (...all) => attempts.persist(...all))
  const contents = new Map<string, Parameters<typeof post>[3]>()
  const stop = new AbortController()
  let due = performance.now()
  let marked = 0

  async function write(number: number): Promise<void> {
    const own = random.fork(`writer ${number}`)
    for (let n = 0; !stop.signal.aborted && !ended.aborted; n++) {
      // Messages that were due during an outage are not sent later.
      due = Math.max(due + 1000 / rate, performance.now() - 100)
      await sleep(Math.max(0, due - performance.now()))
      const entry = await sendOne(own, `${prefix}-${number}-${n}`)
      if (entry && own.int(10) === 0) await markOne(own, entry)
      // A client does so that has not received the response.
      if (entry && own.int(20) === 0) await sendAgain(own, entry)
      if (entry) await changes.change(own, entry)
    }
  }

  async function sendOne(own: Random, key: string): Promise<Entry | undefined> {
    const room = own.pick(wallets.rooms)
    const from = own.pick('pair' in room ? room.pair : wallets.addresses)
    const replyTo = changes.quoted(own, room.name)
    ledger.write({ do: 'send', key, room: room.name, from, at: Date.now(), replyTo })
    const content = { message: textOf(key, own, padding), replyTo }
    const sent = await attempts.persist(own, from, (client, call) =>
      post(client, room, from, content, key, call),
    )
    if (!sent) return undefined
    ledger.write({ do: 'sent', key, id: sent.id, timestamp: sent.timestamp, at: Date.now() })
    contents.set(key, content)
    return ledger.history.get(key)
  }

  async function sendAgain(own: Random, { key, room: name, from, acknowledged }: Entry): Promise<void> {
    const room = wallets.rooms.find((candidate) => candidate.name === name)!
    const content = contents.get(key)!
    const again = await attempts.persist(own, from, (client, call) =>
      post(client, room, from, content, key, call),
    )
    if (again && again.id !== acknowledged!.id)
      report({
        kind: 'duplicated',
        detail: `${key} was answered as ${acknowledged!.id}, then as ${again.id}`,
      })
  }

  async function markOne(own: Random, { key, room: name, from, acknowledged }: Entry): Promise<void> {
    const [a, b] = name.split(' ')
    if (b === undefined || a === b) return
    const recipient = from === a ? b : a!
    const path = { fromaddr: from, toaddr: recipient }
    ledger.write({ do: 'mark', key })
    const body = { ...path, id: acknowledged!.id, message: '', read: true }
    if (
      await attempts.persist(own, recipient, (client, call) =>
        client.markDirectMessage({ ...path, body }, call),
      )
    ) {
      ledger.write({ do: 'marked', key })
      marked++
    }
  }

  const running = Promise.all(Array.from({ length: writers }, (_, i) => write(i)))
  running.catch(() => {})
  return {
    ...attempts,
    get marked() {
      return marked
    },
    /** Finishes writes that have begun; gives up those not acknowledged within half a minute. */
    async stop() {
      stop.abort()
      attempts.giveUpAfter(30_000)
      await running
    },
  }
}
