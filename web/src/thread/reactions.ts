// The reader's own reactions are sent by the outbox: a set per message, of which the last one counts.

import type { Message } from '../messages/message.ts'
import { showNotice } from '../state/notice.ts'
import { type Change, discard, outbox } from './entries.ts'
import { enqueue } from './outbox.ts'
import { ownOf } from './reaction-lists.ts'

/** A wallet reacts to a message with at most this many values. */
const most = 3

/** Adds a reaction of the reader to a message, or takes it back. The message has those that wait to be sent too. */
export function toggleReaction(
  thread: string,
  { id, reactions }: Message,
  value: string,
  change: Change,
): void {
  const own = ownOf(reactions)
  const isOn = own.includes(value)
  if (!isOn && own.length >= most) return showNotice(`You can add ${most} reactions to a message.`)
  const values = isOn ? own.filter((one) => one !== value) : [...own, value]
  // Those that were not sent yet are replaced.
  for (const one of outbox.get())
    if (one.endpoint === 'react' && one.about === id && !one.prepared) discard(one.id)
  const body = { values }
  enqueue({ endpoint: 'react', about: id, body, values, histories: [], thread, text: '', ...change })
}
