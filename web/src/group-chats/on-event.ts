import { moveRow } from '../inbox/cache.ts'
import type { EventHandlers } from '../service/live.ts'
import { insertArrived } from '../thread/arrivals.ts'
import { groupHistory } from '../thread/history.ts'
import { stopTyping } from '../thread/typing.ts'

export const onGroupMessage: EventHandlers['group-message'] = ({ item }, me) => {
  insertArrived(groupHistory(item.nftaddr, me), item, me)
  stopTyping(item.nftaddr, item.fromaddr)
  moveRow(item, me)
}
