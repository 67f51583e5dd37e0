import type { ChatItem } from '@parley/sdk'
import { cache, client } from '../service/api.ts'
import { changeItems } from '../thread/history.ts'
import { readInboxAgain } from '../service/live.ts'
import type { Message } from '../ui/message.ts'

const asked = new Set<number>()

/** Marks received messages that stand on the screen as read: once each, and at the service before they look read here. */
export function markRead(me: string, items: ChatItem[], shown: Message[]): void {
  const ids = new Set(shown.map(({ id }) => id))
  for (const item of items) {
    if (!ids.has(item.id) || item.read || item.toaddr !== me || asked.has(item.id)) continue
    asked.add(item.id)
    void mark(item)
  }
}

async function mark({ id, fromaddr, toaddr }: ChatItem): Promise<void> {
  try {
    const [marked] = await client.markDirectMessage({
      fromaddr,
      toaddr,
      body: { id, fromaddr, toaddr, message: '', read: true },
    })
    const read = marked?.read ?? true
    changeItems('listConversation', (item) => (item.id === id ? { ...item, read } : item))
    changeItems('listNftConversation', (item) => (item.id === id ? { ...item, read } : item))
    if (cache.isFetching({ queryKey: ['getInbox'] }) === 0) readInboxAgain()
  } catch {
    // Shown again, it is tried again.
    asked.delete(id)
  }
}
