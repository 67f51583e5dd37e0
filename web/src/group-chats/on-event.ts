import { moveRow } from '../inbox/cache.ts'
import type { EventHandlers } from '../service/live.ts'
import { insertArrived } from '../thread/history.ts'
import { stopTyping } from '../thread/typing.ts'

export const onGroupMessage: EventHandlers['group-message'] = ({ item }, me) => {
  insertArrived(item, me)
  stopTyping(item.nftaddr, item.fromaddr)
  moveRow(item, me)
}
