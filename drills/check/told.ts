// This checks what a webhook received against the ledger: everything that was acknowledged, in order, with one id and valid
// signatures, and nothing else.

import type { Webhook } from '@parley/sdk'
import { Webhook as Verifier } from 'standardwebhooks'
import { isSignedBy, type Received } from '../../testing/outside/webhook-receiver.ts'
import type { Run } from '../run.ts'
import type { Entry, History } from './ledger.ts'

/**
 * Returns true when a wallet's webhook must receive a message: it is in a room of the wallet, from another wallet. The drill's
 * wallets are in all chats.
 */
const concerns = ({ room, from }: Entry, owner: string) =>
  from !== owner && (!room.includes(' ') || room.split(' ').includes(owner))

/** Returns the ids of what must be received: what was begun after a line of the ledger, and acknowledged. */
export const dueOf = (history: History, owner: string, since: number): Set<number> =>
  new Set(
    [...history.values()]
      .filter((entry) => entry.acknowledged && entry.intended >= since && concerns(entry, owner))
      .map(({ acknowledged }) => acknowledged!.id),
  )

interface Expected {
  hook: Webhook
  owner: string
  due: Set<number>
}

export function inspectTold(
  { report, history }: Pick<Run, 'report' | 'history'>,
  { hook, owner, due }: Expected,
  received: Received[],
): void {
  const verifier = new Verifier(hook.secret!)
  const first = new Map<number, string>()
  const ids = received.map((one) => {
    const { id } = (JSON.parse(one.body) as { data: { id: number } }).data
    const name = one.headers['webhook-id']!
    const at = new Date(Number(one.headers['webhook-timestamp']) * 1000)
    const signatures = one.headers['webhook-signature']!.split(' ')
    if (!signatures.includes(verifier.sign(name, at, one.body)) || !isSignedBy(hook.public_key, one))
      report({ kind: 'broken', detail: `the signatures of ${name} are wrong` })
    if ((first.get(id) ?? name) !== name)
      report({ kind: 'duplicated', detail: `${id} was told as ${first.get(id)} and as ${name}` })
    if (!first.has(id)) first.set(id, name)
    return id
  })
  const lost = [...due].filter((id) => !first.has(id))
  for (const id of lost) report({ kind: 'lost', detail: `${id} was not told` })
  const order = [...new Set(ids)]
  for (const [i, id] of order.entries())
    if (i > 0 && id < order[i - 1]!)
      report({ kind: 'out of order', detail: `${id} was told after ${order[i - 1]}` })
  const isKnown = new Set(
    [...history.values()]
      .filter((entry) => concerns(entry, owner))
      .map(({ acknowledged }) => acknowledged?.id),
  )
  // A message that was not acknowledged may be stored, with an id that the ledger does not know.
  if (!isKnown.has(undefined))
    for (const id of order) if (!isKnown.has(id)) report({ kind: 'phantom', detail: `${id} was told` })
}
