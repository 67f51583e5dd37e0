import { type Static, type TProperties, Type } from 'typebox'
import { ChatItem } from './direct-messages.ts'
import { endpoints } from './endpoint.ts'
import { Address, Id } from './fields.ts'
import { GroupChatItem } from './group-chats.ts'

const event = <const Name extends string, Fields extends TProperties>(
  type: Name,
  fields: Fields,
  description: string,
) =>
  Type.Object(
    { type: Type.Literal(type, { description: 'what happened', examples: [type] }), ...fields },
    { description },
  )

/** What a signed-in wallet is told as it happens. */
export const ServiceEvent = Type.Union(
  [
    event('direct-message', { item: ChatItem }, 'A direct message was sent to or by the wallet'),
    event('group-message', { item: GroupChatItem }, 'A message was posted in a chat the wallet has joined'),
    event(
      'read',
      {
        id: Id,
        fromaddr: Address,
        toaddr: Address,
        read: Type.Boolean({ description: 'the flag as it is now', examples: [true] }),
      },
      'The recipient marked a direct message as read or unread',
    ),
    event('deleted', { id: Id, fromaddr: Address, toaddr: Address }, 'The sender deleted a direct message'),
    event(
      'conversation-deleted',
      { fromaddr: Address, toaddr: Address },
      'One of both deleted a whole conversation',
    ),
    event(
      'inbox',
      {
        change: Type.Optional(
          Type.Union([Type.Literal('joined'), Type.Literal('left'), Type.Literal('entered')], {
            description: 'what the wallet did with the chat: joined, left or entered',
            examples: ['joined'],
          }),
        ),
        nftaddr: Type.Optional(Address),
      },
      'The inbox changed otherwise: a chat was joined, left or entered elsewhere. Read it again',
    ),
    event(
      'typing',
      {
        fromaddr: Address,
        toaddr: Type.Optional(Address),
        nftaddr: Type.Optional(Address),
      },
      'A peer is typing: to the wallet, or in a chat it has joined. Never stored',
    ),
    event('resync', {}, 'Events may have been missed. Read everything shown again'),
  ],
  { $id: 'ServiceEvent', description: 'What a signed-in wallet is told as it happens' },
)
export type ServiceEvent = Static<typeof ServiceEvent>

/** Who is typing, and to whom or where. */
export const TypingNotice = Type.Object(
  {
    fromaddr: Address,
    toaddr: Type.Optional(Address),
    nftaddr: Type.Optional(
      Type.String({
        ...Address,
        description: 'the chat: an NFT contract, or the name of a community',
        examples: ['0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'],
      }),
    ),
  },
  { $id: 'TypingNotice', description: 'Who is typing, and to whom or where: either toaddr or nftaddr' },
)
export type TypingNotice = Static<typeof TypingNotice>

// Spec gap: the interface shows no events, and names no path for them.
export const events = endpoints({
  streamEvents: {
    method: 'GET',
    path: '/v1/events',
    summary: 'What happens to the wallet, as it happens (Server-Sent Events)',
    description: `Each \`data:\` is one ServiceEvent as JSON. Messages of all conversations and joined chats, of the wallet's other devices too; read flags, deletions, changes of the inbox, typing.

At least once, in order per conversation; what comes again has the same number after the point of its \`id:\`. After a broken connection send the last \`id:\` as \`Last-Event-ID\`: what was missed comes first, also from another instance. Where that cannot be promised, a \`resync\` event says so. Something comes at least every 20 seconds, a comment if nothing else. The stream ends with the token.`,
    access: 'wallet',
    response: ServiceEvent,
    produces: 'text/event-stream',
  },
  sendTyping: {
    method: 'POST',
    path: '/v1/typing',
    summary: 'Tell that the wallet is typing, to a wallet or in a joined chat; never stored',
    description: 'More than one a second for the same target are dropped.',
    access: 'wallet',
    self: 'fromaddr',
    body: TypingNotice,
  },
})
