import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Id, Made, MessageText, single, Text, Timestamp } from './fields.ts'

/** The maximum number of incoming hooks of a wallet. */
export const mostIncomingHooks = 20

const made = {
  label: Text(100, 'what the hook is for, in words of its owner', {
    minLength: 1,
    invisible: 'refused',
    examples: ['the build server'],
  }),
  nftaddr: Type.String({
    ...Address,
    description: 'the chat in which it posts: an NFT contract, or the name of a community',
    examples: ['0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'],
  }),
}

/** An address at which a program posts in one chat. */
export const IncomingHook = Type.Object(
  {
    id: Made(64, 'names the hook, and allows nothing', ['q1vJ3mT8cK0yWz5uXb2RsA']),
    ...made,
    created_at: Timestamp,
    last_used: Type.Optional(
      Made(10, 'the day (UTC) on which it was used last; left out when it never was', ['2026-11-20']),
    ),
    url: Type.Optional(
      Made(512, 'where to post, with the secret: only in the answer that makes it', [
        'https://chat.example.org/v1/hooks/prh_8J1vJ3mT8cK0yWz5uXb2RsAq1vJ3mT8cK0yWz5uXb2Rs',
      ]),
    ),
  },
  { $id: 'IncomingHook', description: 'An address at which a program posts in one chat' },
)
export type IncomingHook = Static<typeof IncomingHook>

export const NewIncomingHook = Type.Object(made, { $id: 'NewIncomingHook', description: 'A hook to make' })
export type NewIncomingHook = Static<typeof NewIncomingHook>

const HookPost = Type.Object(
  { text: MessageText('message', 'gm') },
  { $id: 'HookPost', description: 'A message to post by a hook' },
)

const HookPosted = Type.Object(
  {
    id: Id,
    held: Type.Optional(
      Type.Literal(true, {
        description: 'present while it waits for a moderator: nobody else sees it',
        examples: [true],
      }),
    ),
  },
  { $id: 'HookPosted', description: 'A message that was posted by a hook' },
)

const IncomingHooks = Type.Array(IncomingHook, { maxItems: mostIncomingHooks })

// Spec gap: the interface has no way for a program to post without a token.
export const incomingHooks = endpoints({
  createIncomingHook: {
    method: 'POST',
    path: '/v1/incoming_hooks',
    summary: 'Make an address at which a program posts in one chat',
    description: `The program needs nothing but the address. It is in this answer alone: the service keeps a hash of it. A wallet has ${mostIncomingHooks} hooks at most, each for a chat in which it may post.`,
    access: 'wallet',
    grants: 'incoming_hooks',
    adds: 'You already have {most} incoming hooks',
    quotas: ['bytes'],
    limit: 'account',
    body: NewIncomingHook,
    response: IncomingHooks,
  },
  listIncomingHooks: {
    method: 'GET',
    path: '/v1/incoming_hooks',
    summary: "The hooks of the caller's wallet, oldest first",
    access: 'wallet',
    whenBanned: true,
    response: IncomingHooks,
  },
  deleteIncomingHook: {
    method: 'DELETE',
    path: '/v1/incoming_hooks/{hook}',
    summary: 'Delete a hook',
    description:
      'Its address is no longer valid: at once on this instance, within two seconds on others. Signing out everywhere deletes all hooks.',
    access: 'wallet',
    whenBanned: true,
    limit: 'account',
    changes: 0,
  },
  postByHook: {
    method: 'POST',
    path: '/v1/hooks/{secret}',
    summary: 'Post in the chat of a hook',
    description:
      'As the wallet that has made the hook, which must be able to post there now. The body is JSON as `application/json` or `text/plain`, or a form with the JSON in the field `payload`. Five times at once and once a second for each hook; a secret that does not exist is 404.',
    access: 'public',
    byHook: true,
    publishes: true,
    quotas: ['bytes'],
    body: HookPost,
    response: single(HookPosted),
    idempotent: true,
    changes: 0,
  },
})
