import type { ChatItem } from '@parley/sdk'
import { cache, client } from '../service/api.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import type { Message } from '../ui/message.ts'
import { setRead } from './cache.ts'

const asked = new Set<number>()

/**
 * Marks the received messages on the screen as read: each once, and here only after the service has
 * done so.
 */
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
    setRead(id, marked?.read ?? true)
    if (cache.isFetching({ queryKey: ['getInbox'] }) === 0) readInboxAgain()
  } catch {
    // It is tried again when the message is shown again.
    asked.delete(id)
  }
}
