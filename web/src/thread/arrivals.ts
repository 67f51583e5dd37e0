// Messages that events bring. A message of this wallet may be an entry of the outbox whose answer
// has not come yet, or it was sent on another device. The event does not say which, and two
// messages may have the same text; only the answer has the id. So such a message is held until
// every entry that it may be is acknowledged or refused. If it was one of them, the answer has
// inserted it by then, and inserting the same id again adds nothing.

import { changeItems, type History, type HistoryName, insertItem, type Items } from './history.ts'
import { outbox, pendingIn } from './outbox.ts'

interface Held {
  history: History
  item: Items[HistoryName]
  /** The entries of the outbox that the message may be. */
  entries: string[]
}

let held: Held[] = []

outbox.subscribe(() => {
  const before = held
  held = before.filter(mustWait)
  for (const one of before) if (!held.includes(one)) insertItem(one.history, one.item)
})

/** Adds a message of an event to a history: at once, or later when it may be one of the outbox. */
export function insertArrived(history: History, item: Items[HistoryName], me: string): void {
  const entries = item.fromaddr === me ? pendingIn(history) : []
  if (entries.length > 0) held.push({ history, item, entries })
  else insertItem(history, item)
}

/** Changes messages that are shown or held, as `changeItems` does. */
export function changeArrived<Name extends HistoryName>(
  name: Name,
  change: (item: Items[Name]) => Items[Name] | undefined,
): void {
  changeItems(name, change)
  held = held.filter((one) => {
    if (one.history.name !== name) return true
    const item = change(one.item as Items[Name])
    if (item) one.item = item
    return item !== undefined
  })
}

function mustWait({ history, entries }: Held): boolean {
  const pending = pendingIn(history)
  return entries.some((id) => pending.includes(id))
}
