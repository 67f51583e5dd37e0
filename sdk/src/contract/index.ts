import { directMessages } from './direct-messages.ts'
import { bookmarks } from './bookmarks.ts'
import { communities } from './communities.ts'
import { events } from './events.ts'
import { groupChats } from './group-chats.ts'
import { inbox } from './inbox.ts'
import { signIn } from './sign-in.ts'

/** Every endpoint of the service by slice. The server, the SDK, the docs and the tests are all made from here. */
export const slices = { signIn, directMessages, groupChats, communities, bookmarks, inbox, events }

/** Every endpoint of the service by name. */
export const contract = {
  ...signIn,
  ...directMessages,
  ...groupChats,
  ...communities,
  ...bookmarks,
  ...inbox,
  ...events,
}
export type Contract = typeof contract
