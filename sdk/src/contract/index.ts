import { comments } from './comments.ts'
import { directMessages } from './direct-messages.ts'
import { inbox } from './inbox.ts'
import { ownership } from './ownership.ts'
import { signIn } from './sign-in.ts'

/** Every endpoint of the service by slice. The server, the SDK, the docs and the tests are all made from here. */
export const slices = { signIn, directMessages, inbox, comments, ownership }

/** Every endpoint of the service by name. */
export const contract = { ...signIn, ...directMessages, ...inbox, ...comments, ...ownership }
export type Contract = typeof contract
