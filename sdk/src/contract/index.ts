import { directMessages } from './direct-messages.ts'
import { images } from './images.ts'
import { inbox } from './inbox.ts'
import { names } from './names.ts'
import { signIn } from './sign-in.ts'

/** Every endpoint of the service by slice. The server, the SDK, the docs and the tests are all made from here. */
export const slices = { signIn, directMessages, inbox, images, names }

/** Every endpoint of the service by name. */
export const contract = { ...signIn, ...directMessages, ...inbox, ...images, ...names }
export type Contract = typeof contract
