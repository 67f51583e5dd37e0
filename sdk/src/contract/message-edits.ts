import { type Static, Type } from 'typebox'
import { ChatItem, encryption } from './direct-messages.ts'
import { endpoints } from './endpoint.ts'
import { maxMessageBytes, MessageText, single, Text, Timestamp } from './fields.ts'
import { GroupChatItem } from './group-chats.ts'
import { mostEdits } from './reactions.ts'

/** A message can be edited for this many hours. */
export const editableHours = 24

const Revision = Type.Integer({
  minimum: 0,
  maximum: mostEdits,
  description: 'how often the message was edited: 0 is as it was sent',
  examples: [0],
})

/** The new text of a message. */
export const MessageEdit = Type.Object(
  {
    message: MessageText('message', 'gm, all'),
    revision: Type.Integer({
      ...Revision,
      description: 'the revision that the caller has seen: another one is a conflict',
    }),
    ...encryption,
    writing: Type.Optional(
      Type.Boolean({
        description:
          'true while a bot makes its text, in the two minutes after it was sent: the text is replaced, once a second at most, and is no edit; the last one is sent without it',
        examples: [false],
      }),
    ),
  },
  { $id: 'MessageEdit', description: 'The new text of a message' },
)
export type MessageEdit = Static<typeof MessageEdit>

/** A message as it was. */
export const MessageVersion = Type.Object(
  {
    revision: Revision,
    message: Text(maxMessageBytes, 'the text of this revision', { examples: ['gm'] }),
    ...encryption,
    timestamp: Timestamp,
  },
  { $id: 'MessageVersion', description: 'A message as it was before an edit' },
)
export type MessageVersion = Static<typeof MessageVersion>

const Message = Type.Union([ChatItem, GroupChatItem], {
  description: 'the message as it is now, in the shape of its place',
})

// Spec gap: the interface has no edits.
export const messageEdits = endpoints({
  editMessage: {
    method: 'PUT',
    path: '/v1/messages/{id}',
    summary: 'Edit a message that the caller has sent',
    description: `For ${editableHours} hours, at most ${mostEdits} times. Its id, place, time and read flag stay, and nobody is notified again. What stood before is readable for all who read the message. A text may become encrypted, and an encrypted one stays so. Where another edit came first it is 409, and \`current\` of the problem has the message as it is now. An edit is refused where a new message would be.`,
    access: 'wallet',
    scope: 'message:edit',
    publishes: true,
    quotas: ['bytes'],
    body: MessageEdit,
    response: single(Message),
  },
  listEdits: {
    method: 'GET',
    path: '/v1/messages/{id}/edits',
    summary: 'What stood in a message before it was edited, oldest first',
    description: 'For all who may read the message.',
    access: 'wallet',
    scope: 'inbox:read',
    response: Type.Array(MessageVersion),
    pages: true,
  },
})
