import { Type } from 'typebox'
import {
  ChatLogEntry,
  ChatRule,
  Moderator,
  mostModerators,
  mostRestricted,
  NewRestriction,
  Reason,
  Restriction,
  WithReason,
} from './chat-moderation-models.ts'
import { endpoints } from './endpoint.ts'
import { Address, Page } from './fields.ts'
import { GroupChatItem } from './group-chats.ts'

const forModerators = 'For its owner and its moderators: others are 403.'
const forOwner = 'For its owner: others are 403.'
const soon = 'Every instance follows within five seconds.'

const Moderators = Type.Array(Moderator, { maxItems: mostModerators + 1 })

// Spec gap: the interface has nobody who decides in a chat.
export const chatModeration = endpoints({
  removePost: {
    method: 'DELETE',
    path: '/v1/chats/{nftaddr}/posts/{id}',
    summary: 'Remove a message of a chat for everybody',
    description:
      'For its author, and for the owner and the moderators of the chat. The text is gone; the message stays in lists with `removed`, so that no count changes. 404 for a message that is not there, or of another wallet where the caller is no moderator. To repeat it changes nothing.',
    access: 'wallet',
    query: WithReason,
  },
  listModerators: {
    method: 'GET',
    path: '/v1/chats/{nftaddr}/moderators',
    summary: 'Who moderates a chat',
    description:
      'For all who may read it. The creator of a community is its owner; who owns an NFT contract may claim its chat.',
    access: 'wallet',
    scope: ['chat:read', 'chat'],
    place: { chat: ['nftaddr'] },
    response: Moderators,
  },
  addModerator: {
    method: 'PUT',
    path: '/v1/chats/{nftaddr}/moderators/{walletaddr}',
    summary: 'Make a wallet a moderator of a chat',
    description: `${forOwner} At most ${mostModerators}.`,
    access: 'wallet',
    adds: 'This chat already has {most} moderators',
    needsRoom: false,
    response: Moderators,
  },
  removeModerator: {
    method: 'DELETE',
    path: '/v1/chats/{nftaddr}/moderators/{walletaddr}',
    summary: 'End the role of a moderator',
    description: 'For the owner of the chat, and for the moderator itself.',
    access: 'wallet',
    response: Moderators,
  },
  handOverChat: {
    method: 'PUT',
    path: '/v1/chats/{nftaddr}/owner',
    summary: 'Hand over a chat to one of its moderators',
    description: `${forOwner} It stays as a moderator.`,
    access: 'wallet',
    needsRoom: false,
    recent: true,
    body: Type.Object({ walletaddr: Address }, { $id: 'NewOwner', description: 'Who owns the chat now' }),
    response: Moderators,
  },
  claimChat: {
    method: 'POST',
    path: '/v1/chats/{nftaddr}/claim',
    summary: 'Become the owner of the chat of an NFT contract',
    description:
      'For the wallet that `owner()` of the contract answers on a chain that the service is connected to; who claimed it before is a moderator then. 503 where the service is connected to no chain, 502 while the chain does not answer. The signature of a sign-in that is less than an hour old shows that it is the wallet.',
    access: 'wallet',
    needsRoom: false,
    recent: true,
    response: Moderators,
  },
  restrictMember: {
    method: 'PUT',
    path: '/v1/chats/{nftaddr}/members/{walletaddr}',
    summary: 'Mute or ban a wallet in a chat, or lift that',
    description: `${forModerators} A wallet that is muted reads and does not post; one that is banned does neither. 409 for an owner or moderator: remove them from the moderators first. At most ${mostRestricted.toLocaleString('en')} in a chat. ${soon}`,
    access: 'wallet',
    publishes: true,
    adds: 'This chat already has {most} muted or banned wallets',
    needsRoom: false,
    body: NewRestriction,
    response: Restriction,
  },
  listRestricted: {
    method: 'GET',
    path: '/v1/chats/{nftaddr}/restricted',
    summary: 'Who is muted or banned in a chat',
    description: forModerators,
    access: 'wallet',
    response: Type.Array(Restriction),
    pages: true,
  },
  getChatRules: {
    method: 'GET',
    path: '/v1/chats/{nftaddr}/rules',
    summary: 'The rules of a chat, set by its owner',
    description: 'For all who may read it; the words are for moderators, others have an empty list.',
    access: 'wallet',
    scope: ['chat:read', 'chat'],
    place: { chat: ['nftaddr'] },
    response: ChatRule,
  },
  setChatRules: {
    method: 'PUT',
    path: '/v1/chats/{nftaddr}/rules',
    summary: 'Set slow mode, words that wait for a moderator, and how long messages stay',
    description: `${forOwner} A field that is left out stays as it is. ${soon}`,
    access: 'wallet',
    publishes: true,
    needsRoom: false,
    body: Type.Partial(ChatRule, { $id: 'NewChatRules', description: 'What the owner of a chat sets' }),
    response: ChatRule,
  },
  listHeldPosts: {
    method: 'GET',
    path: '/v1/chats/{nftaddr}/held',
    summary: 'Posts that wait for a moderator, oldest first',
    description: `${forModerators} Nobody else but their authors sees them.`,
    access: 'wallet',
    query: Type.Object({ limit: Page.properties.limit, after: Page.properties.after }),
    response: Type.Array(GroupChatItem),
    pages: true,
  },
  decideHeldPost: {
    method: 'POST',
    path: '/v1/chats/{nftaddr}/held/{id}',
    summary: 'Approve or reject a post that waits',
    description: `${forModerators} What is approved is a new message, with a new id and time; what is rejected is removed. 404 when it does not wait any more.`,
    access: 'wallet',
    publishes: true,
    needsRoom: false,
    body: Type.Object(
      {
        approve: Type.Boolean({ description: 'true to approve, false to reject', examples: [true] }),
        reason: Type.Optional(Reason),
      },
      { $id: 'Decision', description: 'What becomes of a post that waits' },
    ),
  },
  listChatLog: {
    method: 'GET',
    path: '/v1/chats/{nftaddr}/log',
    summary: 'What the owner and the moderators of a chat did, the latest first',
    description: `${forModerators} Rows are stored for a year.`,
    access: 'wallet',
    query: Type.Object({ limit: Page.properties.limit, before: Page.properties.before }),
    response: Type.Array(ChatLogEntry),
    pages: true,
  },
})
