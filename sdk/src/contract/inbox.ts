import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { MutedUntil } from './consent.ts'
import { InboxPage, Made, previewBytes, Truncated } from './fields.ts'
import { attachedToLast } from './files.ts'
import { removal } from './group-chats.ts'

const text = (maxLength: number, description: string, example: string) =>
  Made(maxLength, description, [example])
/** The part of a text that a row shows. */
const preview = (description: string, example: string) =>
  Type.String({ format: 'text', 'x-max-bytes': previewBytes, description, examples: [example] })

/** One conversation of a wallet with its last message. A string without a value is empty. */
export const InboxItem = Type.Object(
  {
    id: Type.Integer({ description: 'id of the last message, 0 when there is none', examples: [42] }),
    context_type: text(16, 'what the row is: dm, nft or community', 'dm'),
    type: text(16, 'the kind of the last message', 'message'),
    chain: text(128, 'the chain of the bookmark', 'ethereum'),
    fromaddr: text(128, 'who sent the last message', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'),
    toaddr: text(128, 'who received the last direct message', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'),
    nftaddr: text(128, 'the NFT contract or community', ''),
    nftid: text(128, 'the token of an NFT context', ''),
    message: preview('the last message', 'gm'),
    encrypted_sym_x_key: preview('as sent with the last message', ''),
    x_access_conditions: preview('as sent with the last message', ''),
    read: Type.Boolean({ description: 'whether the last message has been read', examples: [false] }),
    unread: Type.Integer({ description: 'unread messages in this conversation', examples: [1] }),
    sender_name: text(64, 'name of the sender of the last message', 'vitalik'),
    name: text(256, 'name of the peer or chat; of a room its title, “ · ” and its community', 'vitalik'),
    logo: text(4096, 'picture of the peer or chat, a small image as base64', ''),
    timestamp: text(40, 'when the last message was sent (RFC 3339)', '2026-11-20T18:30:00.123Z'),
    timestamp_dtm: text(40, 'the same instant', '2026-11-20T18:30:00.123Z'),
    truncated: Truncated,
    ...removal,
    ...attachedToLast,
    state: Type.Optional(
      Type.Union([Type.Literal('unknown'), Type.Literal('accepted'), Type.Literal('ignored')], {
        description:
          'what the wallet thinks of its peer; only of a conversation, and only where a view is asked for',
        examples: ['accepted'],
      }),
    ),
    muted_until: Type.Optional(MutedUntil),
  },
  { $id: 'InboxItem', description: 'One conversation with its last message' },
)
export type InboxItem = Static<typeof InboxItem>

// Spec gap: the interface shows one list of everything. That is the view `all`.
/** Selects a part of an inbox. */
const View = Type.Object({
  view: Type.Optional(
    Type.Union([Type.Literal('all'), Type.Literal('main'), Type.Literal('requests')], {
      description:
        'all; main: the conversations that the wallet has accepted and the chats that it has joined; requests: the conversations in which it has not decided and the other wallet wrote last',
      examples: ['main'],
    }),
  ),
})

const Count = Type.Integer({ minimum: 0, description: 'how many', examples: [3] })

export const inbox = endpoints({
  getInbox: {
    method: 'GET',
    path: '/v1/get_inbox/{address}',
    summary: 'One row per conversation with its last message, newest first',
    description:
      'Each row is a preview: texts are cut after 4 KiB. Without limit all rows are answered. Joined chats without messages come last. Of a joined chat that is for holders, while the wallet is not known to be one, there is only the row: as of a chat without messages. Unread counts leave such chats out. Conversations with wallets that the wallet has blocked are not shown. With `view` a row also says what the wallet thinks of its peer (`state`), and until when it is muted.',
    access: 'wallet',
    scope: 'inbox:read',
    self: 'address',
    query: Type.Object({ ...InboxPage.properties, ...View.properties }),
    response: Type.Array(InboxItem),
    pages: true,
  },
  countUnread: {
    method: 'GET',
    path: '/v1/get_unread_cnt/{address}',
    summary: 'Unread messages of a wallet',
    description:
      'Without those of wallets that it has blocked. In the view main what is muted does not count.',
    access: 'wallet',
    scope: 'inbox:read',
    self: 'address',
    query: View,
    response: Count,
  },
  countUnreadTotal: {
    method: 'GET',
    path: '/v1/unreadcount/{address}',
    summary: 'Unread messages of a wallet (the same number)',
    access: 'wallet',
    scope: 'inbox:read',
    self: 'address',
    query: View,
    response: Count,
  },
  countUnreadOfNft: {
    method: 'GET',
    path: '/v1/get_unread_cnt/{address}/{nftaddr}/{nftid}',
    summary: 'Unread direct messages of a wallet in the context of one NFT',
    access: 'wallet',
    scope: 'inbox:read',
    self: 'address',
    response: Count,
  },
  countUnreadOfConversation: {
    method: 'GET',
    path: '/v1/get_unread_cnt/{fromaddr}/{toaddr}',
    summary: "The caller's unread messages from the other wallet; either order",
    access: 'wallet',
    scope: ['inbox:read', 'dm:read', 'dm'],
    place: { peer: ['fromaddr', 'toaddr'] },
    self: ['fromaddr', 'toaddr'],
    response: Count,
  },
  countUnreadByType: {
    method: 'GET',
    path: '/v1/get_unread_cnt_by_type/{address}/{type}',
    summary: 'Unread messages of a wallet of one kind',
    access: 'wallet',
    scope: 'inbox:read',
    self: 'address',
    response: Count,
  },
  countUnreadOfNftChats: {
    method: 'GET',
    path: '/v1/get_unread_cnt_nft/{address}',
    summary: 'Unread messages in the NFT chats a wallet has joined',
    access: 'wallet',
    scope: 'inbox:read',
    self: 'address',
    response: Count,
  },
})
