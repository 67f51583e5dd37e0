import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { isBot } from './bots.ts'
import { Address, Timestamp } from './fields.ts'

/** The facts of a conversation besides its messages. */
export const Conversation = Type.Object(
  {
    emptied_by: Type.Optional(
      Type.String({
        ...Address,
        description: 'which of the two wallets deleted all messages for both; left out when none did',
      }),
    ),
    emptied_at: Type.Optional(Type.String({ ...Timestamp, description: 'when it did so last' })),
    pinned: Type.Optional(
      Type.Literal(true, { description: 'present when it has pinned messages', examples: [true] }),
    ),
    is_bot: isBot,
  },
  { $id: 'Conversation', description: 'What is known of a conversation besides its messages' },
)
export type Conversation = Static<typeof Conversation>

// Spec gap: the interface deletes for both ends only, and does not say who has deleted a conversation.
export const ownSide = endpoints({
  hideMessage: {
    method: 'DELETE',
    path: '/v1/messages/{id}/mine',
    summary: 'Delete a direct message for the caller alone',
    description:
      'The caller has sent or received it, and does not see it any more, on no device. The other wallet keeps it; when that one deletes it too, it is gone. An unread message is marked as read by this.',
    access: 'wallet',
  },
  hideConversation: {
    method: 'DELETE',
    path: '/v1/conversations/{toaddr}/mine',
    summary: 'Delete a conversation for the caller alone',
    description:
      'The caller does not see its messages any more, on no device; the other wallet keeps them. Later messages are shown.',
    access: 'wallet',
  },
  getConversation: {
    method: 'GET',
    path: '/v1/conversations/{toaddr}',
    summary:
      'Who deleted the messages of a conversation for both, and when; whether it has pinned messages, and whether the other wallet is a bot',
    access: 'wallet',
    scope: ['inbox:read', 'dm:read', 'dm'],
    place: { peer: ['toaddr'] },
    response: Conversation,
  },
})
