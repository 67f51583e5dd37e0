// Says what people read as the name of a chat: `Tools · gardeners` for a room, the name of a community, the short address of a
// contract. It is read when it is shown, so all see a new title at once.

import { shortAddress } from '../values/short-address.ts'

/** Makes SQL for the title of a room of a community. */
export const roomTitle = (title: string, community: string) => `${title} || ' · ' || ${community}`

const titleOr = (title: string) =>
  `case when strpos(c.chat, '/') = 0 then c.nftaddr else coalesce(${title}, c.nftaddr) end`
const titleOfRoom = roomTitle('t.title', `split_part(c.nftaddr, '/', 1)`)

/** Makes SQL for the title of the group chat `c`: a room that is deleted has its key, and so has the chat of a contract. */
export const chatTitle = (bucket: string) =>
  titleOr(`(select ${titleOfRoom} from rooms t where t.bucket = ${bucket} and t.chat = c.chat)`)

/** Makes the same where `c` is joined with its room `t`, for statements about many chats: a cluster joins what lies together. */
export const joinedTitle = titleOr(titleOfRoom)
export const joinRoom = `left join rooms t on t.bucket = c.bucket and t.chat = c.chat and strpos(c.chat, '/') > 0`

/** Returns a title for a notification, which has little room. */
export const shortTitle = ({ title, isCommunity }: { title: string; isCommunity: boolean }): string =>
  isCommunity ? title : shortAddress(title)
