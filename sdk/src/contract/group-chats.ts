import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { isBot } from './bots.ts'
import {
  Address,
  Enter,
  Id,
  Logo,
  maxMessageBytes,
  MessageText,
  Name,
  Page,
  ReplyTo,
  single,
  Text,
  Timestamp,
  Truncated,
} from './fields.ts'
import { attached, newFiles } from './files.ts'
import { edited, marks } from './reactions.ts'

// Spec gap: the values of context_type and type.
export const ContextType = Type.Union([Type.Literal('nft'), Type.Literal('community')], {
  description: 'what kind of chat it is: nft or community',
  examples: ['nft'],
})

const content = {
  nftaddr: Type.String({
    ...Address,
    description:
      'the chat: an NFT contract (0x and 40 hexadecimal digits), a key such as poap_42, or the name of a community',
    examples: ['0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'],
  }),
  fromaddr: Address,
  message: MessageText('message', 'gm'),
  reply_to: ReplyTo,
}

export const RemovedBy = Type.Union(
  [Type.Literal('author'), Type.Literal('moderator'), Type.Literal('operator')],
  {
    description:
      'who has removed it: its author, the owner or a moderator of the chat, or an operator of the service',
    examples: ['moderator'],
  },
)
export type RemovedBy = Static<typeof RemovedBy>

/** The fields of a message that was removed. */
export const removal = {
  removed: Type.Optional(
    Type.Literal(true, { description: 'present when it was removed: its text is empty', examples: [true] }),
  ),
  removed_by: Type.Optional(RemovedBy),
}

/** A message in an NFT chat or a community. */
export const GroupChatItem = Type.Object(
  {
    id: Id,
    ...content,
    message: Text(maxMessageBytes, 'the message; empty when it was removed', { examples: ['gm'] }),
    context_type: ContextType,
    type: Type.Literal('message', { description: 'the kind of item: always message', examples: ['message'] }),
    sender_name: Name("the sender's name, empty when it has none"),
    timestamp: Timestamp,
    timestamp_dtm: Timestamp,
    ...removal,
    held: Type.Optional(
      Type.Literal(true, {
        description: 'present for its author while it waits for a moderator: nobody else sees it',
        examples: [true],
      }),
    ),
    imported: Type.Optional(
      Type.Literal(true, {
        description:
          'present when it was imported from elsewhere, by the administrator: its author has not sent it here',
        examples: [true],
      }),
    ),
    announced: Type.Optional(
      Type.Literal(true, {
        description: 'present when it is an announcement: those who had agreed to these were notified',
        examples: [true],
      }),
    ),
    ...attached,
    ...edited,
    ...marks,
    // Only landing pages set this field.
    truncated: Truncated,
  },
  { $id: 'GroupChatItem', description: 'A message in an NFT chat or a community' },
)
export type GroupChatItem = Static<typeof GroupChatItem>

/**
 * A message to post. Other fields of a GroupChatItem are set by the service, and ignored when sent.
 */
export const NewGroupChatItem = Type.Object(
  { ...content, ...newFiles },
  { $id: 'NewGroupChatItem', description: 'A message to post in an NFT chat or a community' },
)
export type NewGroupChatItem = Static<typeof NewGroupChatItem>

/** A wallet that has joined a chat. */
export const Member = Type.Object(
  {
    walletaddr: Type.String({ ...Address, description: 'the address of the wallet' }),
    name: Name('its name, empty when it has none'),
    logo: Logo('its picture, a small image as a data URL; empty when it has none'),
    is_bot: isBot,
  },
  { $id: 'Member', description: 'A wallet that has joined a chat' },
)
export type Member = Static<typeof Member>

export const groupChats = endpoints({
  // Spec gap: the interface has no list of members.
  listMembers: {
    method: 'GET',
    path: '/v1/members/{nftaddr}',
    summary: 'The wallets that have joined a chat',
    description:
      'For anyone who may read the chat, in the order of their addresses. A wallet that has joined the chat of an NFT need not hold one.',
    access: 'wallet',
    scope: ['chat:read', 'chat'],
    place: { chat: ['nftaddr'] },
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 200,
          description: 'how many at most: 1 to 200; 50 when left out',
          examples: [50],
        }),
      ),
      after: Type.Optional(
        Type.String({
          ...Address,
          description: 'only those after this one: the address of the last one you have',
        }),
      ),
    }),
    response: Type.Array(Member),
    pages: true,
  },
  postGroupMessage: {
    method: 'POST',
    path: '/v1/create_groupchatitem',
    summary: 'Post a message in an NFT chat or a community',
    description:
      'Where ownership checks are configured for the chain of the contract, only wallets that hold one of its tokens may read and post: others are 403, and 502 while the chain does not answer. What is known of a wallet counts for a minute, and for ten while the chain is away. An unknown chat is 404.',
    access: 'wallet',
    scope: ['chat:post', 'chat'],
    place: { chat: ['nftaddr'] },
    publishes: true,
    quotas: ['bytes'],
    self: 'fromaddr',
    body: NewGroupChatItem,
    response: single(GroupChatItem),
    idempotent: true,
    changes: 0,
  },
  postCommunityMessage: {
    method: 'POST',
    path: '/v1/community',
    summary: 'Post a message in a community',
    description: 'The same as `POST /v1/create_groupchatitem`: `nftaddr` decides which chat it is.',
    access: 'wallet',
    scope: ['chat:post', 'chat'],
    place: { chat: ['nftaddr'] },
    publishes: true,
    quotas: ['bytes'],
    self: 'fromaddr',
    body: NewGroupChatItem,
    response: single(GroupChatItem),
    idempotent: true,
    changes: 0,
  },
  listGroupMessages: {
    method: 'GET',
    path: '/v1/get_groupchatitems/{address}/{useraddress}',
    summary: 'Messages of a chat, oldest first; the wallet enters the chat',
    description: 'All messages posted so far count as read by the wallet afterwards.',
    access: 'wallet',
    scope: ['chat:read', 'chat'],
    place: { chat: ['address'] },
    self: 'useraddress',
    query: Type.Object({
      ...Page.properties,
      since: Type.Optional(
        Type.String({
          ...Timestamp,
          description: 'only messages posted at this time or later; with `limit: 1` the first one of a day',
        }),
      ),
      enter: Enter,
    }),
    response: Type.Array(GroupChatItem),
    pages: true,
  },
  countUnreadOfChat: {
    method: 'GET',
    path: '/v1/get_groupchatitems_unreadcnt/{address}/{useraddress}',
    summary: 'Messages of others in a chat since the wallet entered it',
    description:
      "With the wallet's own token: the count, or 0 when the chat is for holders and the wallet is not known to be one. Anyone else is answered 0 for a chat that is for holders, and for a wallet that has not joined the chat; 403 where the operator has closed the counts (`PUBLIC_UNREAD_COUNTS=false`).",
    access: 'wallet-or-anyone',
    scope: ['chat:read', 'chat'],
    place: { chat: ['address'] },
    limit: 'public-count',
    produces: 'text/plain',
    response: Type.Integer({ minimum: 0, description: 'How many', examples: [3] }),
  },
})
