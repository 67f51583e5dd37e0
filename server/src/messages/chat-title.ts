// Says what people read as the name of a chat: `Tools · gardeners` for a room, the name of a community, the short address of a
// contract. It is read when it is shown, so all see a new title at once.

import { shortAddress } from '../values/short-address.ts'

/** Makes SQL for the title of a room of a community. */
export const roomTitle = (title: string, community: string) => `${title} || ' · ' || ${community}`

/** Makes SQL for the title of the group chat `c`: a room that is deleted has its key, and so has the chat of a contract. */
export const chatTitle = (
  bucket = 'c.bucket',
) => `case when strpos(c.chat, '/') = 0 then c.nftaddr else coalesce((
    select ${roomTitle('t.title', `split_part(c.nftaddr, '/', 1)`)} from rooms t where t.bucket = ${bucket} and t.chat = c.chat
  ), c.nftaddr) end`

/** Returns a title for a notification, which has little room. */
export const shortTitle = ({ title, isCommunity }: { title: string; isCommunity: boolean }): string =>
  isCommunity ? title : shortAddress(title)
