import { moveRow } from '../inbox/cache.ts'
import type { EventHandlers } from '../service/live.ts'
import { insertItem } from '../thread/history.ts'
import { isOnItsWay } from '../thread/outbox.ts'
import { stopTyping } from '../thread/typing.ts'

export const onGroupMessage: EventHandlers['group-message'] = ({ item }, me) => {
  if (item.fromaddr !== me || !isOnItsWay(item.message))
    insertItem({ name: 'listGroupMessages', input: { address: item.nftaddr, useraddress: me } }, item)
  stopTyping(item.nftaddr, item.fromaddr)
  moveRow(item, me)
}
