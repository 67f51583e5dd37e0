import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { attached, newFiles } from './files.ts'
import { Address, Id, MessageText, Name, Page, ReplyTo, single, Text, Timestamp, TokenId } from './fields.ts'
import { edited, marks } from './reactions.ts'

const KiB = 1024

// ENCRYPTION_VENDOR replaces the segment `x` of these two names on the wire; see encryption.ts.
export const encryption = {
  encrypted_sym_x_key: Type.Optional(
    Text(32 * KiB, 'the wrapped key of a message that the client encrypted; the service does not read it', {
      invisible: 'allowed',
      examples: ['x25519:9f86d08'],
    }),
  ),
  x_access_conditions: Type.Optional(
    Text(32 * KiB, 'who may decrypt, in a format of the client; the service does not read it', {
      invisible: 'allowed',
      examples: ['{"scheme":"hpke"}'],
    }),
  ),
}

const content = {
  fromaddr: Address,
  toaddr: Address,
  message: MessageText('message', 'gm'),
  nftaddr: Type.Optional(Address),
  nftid: Type.Optional(TokenId),
  reply_to: ReplyTo,
  ...encryption,
}

/** A direct message. It has `nftaddr` and `nftid` only in the context of an NFT. */
export const ChatItem = Type.Object(
  {
    id: Id,
    ...content,
    read: Type.Boolean({ description: 'whether the recipient has read it', examples: [false] }),
    sender_name: Name("the sender's name, empty when it has none"),
    timestamp: Timestamp,
    timestamp_dtm: Timestamp,
    ...attached,
    ...edited,
    ...marks,
  },
  { $id: 'ChatItem', description: 'A direct message' },
)
export type ChatItem = Static<typeof ChatItem>

/**
 * A direct message to send. Other fields of a ChatItem are set by the service, and ignored when
 * sent.
 */
export const NewChatItem = Type.Object(
  { ...content, ...newFiles },
  { $id: 'NewChatItem', description: 'A direct message to send' },
)
export type NewChatItem = Static<typeof NewChatItem>

// Spec gap: how the row is found: by `id` when it is given, else by sender, recipient and
// timestamp.
/** Names the message to mark, and says whether it is read. */
export const ReadFlag = Type.Object(
  {
    id: Type.Optional(Id),
    fromaddr: Address,
    toaddr: Address,
    message: Type.String({
      format: 'text',
      'x-invisible': 'allowed',
      description: 'a text; the service ignores it',
      examples: ['gm'],
    }),
    timestamp: Type.Optional(
      Type.String({
        format: 'time-param',
        description: 'the timestamp of the message',
        examples: ['2026-11-20T18:30:00.123Z'],
      }),
    ),
    read: Type.Optional(
      Type.Boolean({ description: 'true or false; false when left out', examples: [true] }),
    ),
  },
  { $id: 'ReadFlag', description: 'The message, and whether it has been read' },
)
export type ReadFlag = Static<typeof ReadFlag>

const ChatItems = { response: Type.Array(ChatItem), pages: true } as const

const reading = { access: 'wallet', scope: 'inbox:read' } as const
const readingOne = {
  access: 'wallet',
  scope: ['inbox:read', 'dm:read', 'dm'],
  place: { peer: ['fromaddr', 'toaddr'] },
  self: ['fromaddr', 'toaddr'],
} as const

export const directMessages = endpoints({
  sendDirectMessage: {
    method: 'POST',
    path: '/v1/create_chatitem',
    summary: 'Send a direct message',
    description: 'The recipient need not have signed in before. Writing to oneself is allowed.',
    access: 'wallet',
    scope: ['dm:send', 'dm:begin', 'dm'],
    place: { peer: ['toaddr'] },
    publishes: true,
    quotas: ['bytes', 'strangers'],
    self: 'fromaddr',
    body: NewChatItem,
    response: single(ChatItem),
    idempotent: true,
    changes: 0,
  },
  markDirectMessage: {
    method: 'PUT',
    path: '/v1/update_chatitem/{fromaddr}/{toaddr}',
    summary: 'Mark a received message as read or unread',
    description:
      'Only the recipient may. The row is found by `id`, else by `fromaddr`, `toaddr` and `timestamp` of the body. The two path values are ignored.',
    access: 'wallet',
    scope: 'inbox:write',
    body: ReadFlag,
    response: single(ChatItem),
    changes: 1,
  },
  deleteDirectMessage: {
    method: 'DELETE',
    path: '/v1/delete_chatitem/{id}',
    summary: 'Delete a message the caller sent',
    access: 'wallet',
  },
  deleteConversation: {
    method: 'DELETE',
    path: '/v1/deleteall_chatitems/{fromaddr}/{toaddr}',
    summary: 'Delete all messages between two wallets, in both directions',
    access: 'wallet',
    self: ['fromaddr', 'toaddr'],
  },
  listDirectMessages: {
    method: 'GET',
    path: '/v1/getall_chatitems/{address}',
    summary: 'All direct messages of a wallet, oldest first',
    ...reading,
    self: 'address',
    query: Page,
    ...ChatItems,
  },
  listConversation: {
    method: 'GET',
    path: '/v1/getall_chatitems/{fromaddr}/{toaddr}',
    summary: 'Messages between two wallets, in either direction, oldest first',
    ...readingOne,
    query: Page,
    ...ChatItems,
  },
  listConversationSince: {
    method: 'GET',
    path: '/v1/getall_chatitems/{fromaddr}/{toaddr}/{time}',
    summary: 'Messages between two wallets strictly after a time, oldest first',
    description: 'Timestamps are strictly increasing within a conversation: poll with the last one you have.',
    ...readingOne,
    query: Page,
    ...ChatItems,
  },
  listReadMessages: {
    method: 'GET',
    path: '/v1/getread_chatitems/{fromaddr}/{toaddr}',
    summary: "The caller's messages that the other wallet has read: the newest 1000, oldest first",
    ...readingOne,
    query: Page,
    ...ChatItems,
  },
  listNftMessages: {
    method: 'GET',
    path: '/v1/getnft_chatitems/{address}',
    summary: 'All direct messages of a wallet in the context of any NFT',
    ...reading,
    self: 'address',
    query: Page,
    ...ChatItems,
  },
  listNftMessagesOfWallet: {
    method: 'GET',
    path: '/v1/getnft_chatitems/{address}/{nftaddr}/{nftid}',
    summary: 'Direct messages of a wallet in the context of one NFT',
    ...reading,
    self: 'address',
    query: Page,
    ...ChatItems,
  },
  listNftConversation: {
    method: 'GET',
    path: '/v1/getnft_chatitems/{fromaddr}/{toaddr}/{nftaddr}/{nftid}',
    summary: 'Messages between two wallets in the context of one NFT',
    ...readingOne,
    query: Page,
    ...ChatItems,
  },
  listNftMessagesOfToken: {
    method: 'GET',
    path: '/v1/getnft_chatitems/{nftaddr}/{nftid}',
    summary: 'Direct messages in the context of one NFT that the caller sent or received',
    ...reading,
    query: Page,
    ...ChatItems,
  },
})
