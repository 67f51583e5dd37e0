import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Id, Made, Timestamp } from './fields.ts'
import { ContextType } from './group-chats.ts'

const wallets = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}; 0 below 10, else rounded down`, examples: [200] })

const Delivery = Type.Object(
  {
    id: Id,
    announced_by: Type.String({ ...Address, description: 'the wallet that announced it' }),
    announced_at: Timestamp,
    done: Type.Boolean({ description: 'true when every member who agreed was looked at', examples: [true] }),
    stopped: Type.Optional(
      Type.Literal(true, {
        description: 'present when it ended early: the post is gone, or may no longer be announced',
        examples: [true],
      }),
    ),
    agreed: wallets('members who had agreed, of those that were looked at so far'),
    reached: wallets('of these, those who were notified'),
    no_channel: wallets('those whose wallet has no push, Telegram or confirmed mail address'),
    gone: wallets('those who have left or may no longer read the chat'),
    muted: wallets('those who have muted the chat or blocked its author, or want nothing in quiet hours'),
    read: wallets('those who had read the post already'),
  },
  {
    $id: 'AnnouncementDelivery',
    description: 'What became of an announcement: counts of wallets, never which ones',
  },
)

/** What the owner and the moderators of a chat know about its announcements. */
export const Announcing = Type.Object(
  {
    agreed: wallets('members who agree to announcements of this chat now'),
    next_at: Type.Optional(
      Type.String({
        ...Timestamp,
        description: 'when the next announcement is possible; absent when it is possible now',
      }),
    ),
    forbidden: Type.Optional(
      Type.Literal(true, {
        description: 'present when an operator has stopped the announcements of this chat',
        examples: [true],
      }),
    ),
    last: Type.Optional(Delivery),
  },
  { $id: 'Announcing', description: 'Whether a chat can announce, and to how many' },
)
export type Announcing = Static<typeof Announcing>

export const AnnouncingChat = Type.Object(
  {
    nftaddr: Type.String({
      ...Address,
      description: 'the chat: an NFT contract, the name of a community, or <community>/<room>',
      examples: ['gardeners'],
    }),
    title: Made(512, 'its name as people read it; of an NFT contract its address', ['Tools · gardeners']),
    context_type: ContextType,
  },
  { $id: 'AnnouncingChat', description: 'A chat to whose announcements the caller has agreed' },
)
export type AnnouncingChat = Static<typeof AnnouncingChat>

// Spec gap: the interface has no announcements.
export const announcements = endpoints({
  listAnnouncingChats: {
    method: 'GET',
    path: '/v1/announcements',
    summary: 'The chats to whose announcements the caller has agreed',
    description:
      'Joined chats alone, by their keys. PUT /v1/chats/{nftaddr}/notifications with `announcements` false ends it for one.',
    access: 'wallet',
    response: Type.Array(AnnouncingChat),
    pages: true,
  },
  announcePost: {
    method: 'PUT',
    path: '/v1/announcements/{id}',
    summary: 'Announce a post of your own to the members who agreed to announcements',
    description:
      'For the owner and the moderators of a chat, and a post of the last day. A community and its rooms have one announcement in 24 hours together, and so has the chat of an NFT: 409 says when the next one is possible. Removing the post does not change that. Those who agreed (`announcements` of PUT /v1/chats/{nftaddr}/notifications) are notified once by push, Telegram and mail, while they may read the chat and have not muted it. Announcing a post twice is one announcement.',
    access: 'wallet',
    scope: 'announce:write',
    publishes: true,
  },
  getAnnouncing: {
    method: 'GET',
    path: '/v1/chats/{nftaddr}/announcements',
    summary: 'Whether a chat can announce, to how many, and what became of the last announcement',
    description: 'For the owner and the moderators of the chat.',
    access: 'wallet',
    scope: 'announce:write',
    response: Announcing,
  },
})
