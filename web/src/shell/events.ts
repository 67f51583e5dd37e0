import { onDirectMessageEvent } from '../direct-messages/on-event.ts'
import { onGroupMessage } from '../group-chats/on-event.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import { keyring, loadKeyring } from '../keys/keyring.ts'
import { cache } from '../service/api.ts'
import type { EventHandlers } from '../service/live.ts'
import { resume } from '../thread/outbox.ts'
import { startTyping } from '../thread/typing.ts'

/** What each event changes on the page. Messages come whole and are added to the cache. */
export const onEvent: EventHandlers = {
  ...onDirectMessageEvent,
  'group-message': onGroupMessage,
  typing: ({ fromaddr, nftaddr }) => startTyping(nftaddr ?? fromaddr, fromaddr),
  inbox: readInboxAgain,
  resync: () => void cache.invalidateQueries(),
}

/** Called when the event stream opens: repeats what failed without a connection. */
export function onOpen(): void {
  if (keyring.get().state === 'unknown') loadKeyring().catch(() => {})
  resume()
}
