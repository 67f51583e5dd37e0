import { type Static, type TProperties, Type } from 'typebox'
import { ChatItem } from './direct-messages.ts'
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
      {},
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
