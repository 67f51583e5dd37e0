// Wallets change messages that are there: they edit them, and react to them. A change without a response is repeated. An edit
// names the revision that its author has seen, so a repeated one is refused when the first one has arrived.

import { ApiError, type Client } from '@parley/sdk'
import type { Violation } from '../check/checker.ts'
import type { Entry, Ledger } from '../check/ledger.ts'
import type { Random } from '../random.ts'
import type { Room, Wallets } from '../wallets.ts'
import type { Act } from './attempts.ts'

interface ChangesOptions {
  wallets: Wallets
  ledger: Ledger
  report: (violation: Violation) => void
  /** False when nothing is changed. */
  changes: boolean
}
type Persist = <T>(own: Random, address: string, act: Act<T>) => Promise<T | undefined>

const emoji = ['👍', '🎉', '❤️']

export function openChanges({ wallets, ledger, report, changes }: ChangesOptions, persist: Persist) {
  /** Edits a message of a writer some times. No other writer edits it. */
  async function edit(own: Random, { key, from, acknowledged }: Entry): Promise<void> {
    const { id } = acknowledged!
    const times = 1 + own.int(3)
    for (let revision = 0; revision < times; revision++) {
      const text = `${key} edit ${revision + 1}`
      ledger.write({ do: 'edit', key, text })
      const act: Act<Edited> = (client, call) => editOrConflict(client, id, { message: text, revision }, call)
      // A client does so twice that has not received the response.
      for (let again = own.int(3) === 0 ? 1 : 0; again >= 0; again--) {
        const edited = await persist(own, from, act)
        if (!edited) return
        if (edited.revision !== revision + 1)
          report({
            kind: edited.revision > revision ? 'duplicated' : 'lost',
            detail: `${key} was edited at revision ${revision}, and has revision ${edited.revision}`,
          })
        if (edited.message !== text)
          report({ kind: 'lost', detail: `${key} was edited, and has another text` })
      }
      ledger.write({ do: 'edited', key })
    }
  }

  /** Some wallets react to a message at the same moment, each of them up to three times. */
  async function react(own: Random, { key, acknowledged }: Entry, room: Room): Promise<void> {
    const { id } = acknowledged!
    const those =
      'pair' in room ? new Set(room.pair) : new Set([1, 2, 3].map(() => own.pick(wallets.addresses)))
    const reacting = async (by: string) => {
      const its = own.fork(`${key} ${by}`)
      for (let times = 1 + its.int(3); times > 0; times--) {
        const values = emoji.filter(() => its.int(2) === 0).toSorted()
        ledger.write({ do: 'react', key, by, values })
        const act: Act<true> = (client, call) => client.react({ id, body: { values } }, call).then(() => true)
        if (!(await persist(its, by, act))) return
        ledger.write({ do: 'reacted', key, by })
      }
    }
    await Promise.all([...those].map(reacting))
  }

  return {
    /** Returns the id of the newest message of a room, for some messages: these reply to it. */
    quoted(own: Random, room: string): number | undefined {
      const key = ledger.acknowledged.get(room)?.at(-1)
      if (!changes || key === undefined || own.int(10) > 0) return undefined
      return ledger.history.get(key)!.acknowledged!.id
    },

    /** Changes some of the messages. */
    async change(own: Random, entry: Entry): Promise<void> {
      if (!changes) return
      if (own.int(10) === 0) await edit(own, entry)
      if (own.int(10) === 0)
        await react(
          own,
          entry,
          wallets.rooms.find(({ name }) => name === entry.room)!,
        )
    },
  }
}

interface Edited {
  message: string
  revision: number
}

/** Edits a message. Where another edit came first, which may be the same one, it returns the message as it is now. */
async function editOrConflict(
  client: Client,
  id: number,
  body: Edited,
  call: { signal: AbortSignal },
): Promise<Edited> {
  const item = await client.editMessage({ id, body }, call).then(
    ([edited]): Partial<Edited> => edited!,
    (error: unknown): Partial<Edited> => {
      if (error instanceof ApiError && error.current) return error.current
      throw error
    },
  )
  return { message: item.message!, revision: item.revision ?? 0 }
}

/** All pairs of wallets accept each other: only then they see each other's reactions. */
export async function acceptAll(wallets: Wallets, baseUrl: string): Promise<void> {
  for (const one of wallets.addresses)
    for (const peer of wallets.addresses)
      if (one !== peer) await wallets.client(one, baseUrl).setContact({ peer, body: { state: 'accepted' } })
}
