import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Id, single, Text } from './fields.ts'
import { ContextType } from './group-chats.ts'

const ChatKey = Type.String({
  ...Address,
  description:
    'the chat: an NFT contract, or the name of a community; 1-128 printable characters without white space',
  examples: ['0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'],
})
const Chain = Text(128, 'the chain of the contract, stored as it is given', {
  invisible: 'allowed',
  examples: ['ethereum'],
})

/** A group chat that a wallet has joined. */
export const Bookmark = Type.Object(
  { id: Id, walletaddr: Address, nftaddr: ChatKey, chain: Chain },
  { $id: 'Bookmark', description: 'A group chat that a wallet has joined' },
)
export type Bookmark = Static<typeof Bookmark>

export const NewBookmark = Type.Object(
  { walletaddr: Address, nftaddr: ChatKey, chain: Type.Optional(Chain) },
  { $id: 'NewBookmark', description: 'A group chat to join or to leave' },
)
export type NewBookmark = Static<typeof NewBookmark>

/** A group chat that two wallets have joined. */
export const SharedChat = Type.Object(
  { nftaddr: ChatKey, context_type: ContextType },
  { $id: 'SharedChat', description: 'A group chat that two wallets have joined' },
)
export type SharedChat = Static<typeof SharedChat>

const Bookmarks = { response: Type.Array(Bookmark), pages: true } as const

export const bookmarks = endpoints({
  joinChat: {
    method: 'POST',
    path: '/v1/create_bookmark',
    summary: 'Join a group chat; it then stays in the inbox',
    description:
      'Joining twice is one bookmark. Any chat may be bookmarked, and a bookmark is never a permission: messages of a chat for holders are shown to, counted for and sent to holders alone.',
    access: 'wallet',
    scope: ['inbox:write', 'chat'],
    place: { chat: ['nftaddr'] },
    adds: 'You already have {most} bookmarks',
    quotas: ['bytes'],
    self: 'walletaddr',
    limit: 'account',
    body: NewBookmark,
    response: single(Bookmark),
    idempotent: true,
  },
  leaveChat: {
    method: 'POST',
    path: '/v1/delete_bookmark',
    summary: 'Leave a group chat; returns the remaining bookmarks',
    access: 'wallet',
    scope: 'inbox:write',
    needsRoom: false,
    self: 'walletaddr',
    limit: 'account',
    body: NewBookmark,
    ...Bookmarks,
  },
  listBookmarks: {
    method: 'GET',
    path: '/v1/get_bookmarks/{address}/',
    summary: 'The group chats a wallet has joined, oldest first',
    access: 'wallet',
    scope: 'inbox:read',
    self: 'address',
    ...Bookmarks,
  },
  hasJoined: {
    method: 'GET',
    path: '/v1/get_bookmarks/{walletaddr}/{nftaddr}',
    summary: 'Whether a wallet has joined a group chat',
    access: 'wallet',
    scope: ['inbox:read', 'chat:read', 'chat'],
    place: { chat: ['nftaddr'] },
    self: 'walletaddr',
    response: Type.Boolean({ description: 'true when it has', examples: [true] }),
  },
  // Spec gap: the interface has no way to ask what two wallets have in common.
  listSharedChats: {
    method: 'GET',
    path: '/v1/shared_chats/{walletaddr}',
    summary: 'The group chats that the caller and another wallet have joined, in the order of the caller’s',
    description: 'Without the chats that the caller may not read.',
    access: 'wallet',
    response: Type.Array(SharedChat),
    pages: true,
  },
})
