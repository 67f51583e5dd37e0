import { moveRow } from '../inbox/cache.ts'
import type { EventHandlers } from '../service/live.ts'
import { insertArrived } from '../thread/arrivals.ts'
import { stopTyping } from '../thread/typing.ts'

export const onGroupMessage: EventHandlers['group-message'] = ({ item }, me) => {
  const input = { address: item.nftaddr, useraddress: me }
  insertArrived({ name: 'listGroupMessages', input }, item, me)
  stopTyping(item.nftaddr, item.fromaddr)
  moveRow(item, me)
}
