import { moveRow, readInboxAgain } from '../inbox/cache.ts'
import type { EventHandlers } from '../service/live.ts'
import { insertArrived } from '../thread/history.ts'
import { stopTyping } from '../thread/typing.ts'
import { changeMessages, removeMessage, setRead } from './cache.ts'

type DirectMessageEvent = 'direct-message' | 'read' | 'deleted' | 'conversation-deleted'

export const onDirectMessageEvent: Pick<EventHandlers, DirectMessageEvent> = {
  'direct-message': ({ item }, me) => {
    insertArrived(item, me)
    stopTyping(item.fromaddr, item.fromaddr)
    moveRow(item, me)
  },
  read: ({ id, toaddr, read }, me) => {
    setRead(id, read)
    if (toaddr === me) readInboxAgain()
  },
  deleted: ({ id }) => {
    removeMessage(id)
    readInboxAgain()
  },
  'conversation-deleted': ({ fromaddr, toaddr }) => {
    const pair = new Set([fromaddr, toaddr])
    changeMessages((item) => (pair.has(item.fromaddr) && pair.has(item.toaddr) ? undefined : item))
    readInboxAgain()
  },
}
