import { type Static, Type } from 'typebox'
import { Text } from './fields.ts'
import { literals } from './literals.ts'

const flag = (description: string, example: boolean) => Type.Boolean({ description, examples: [example] })

const Kinds = Type.Object(
  {
    dm: flag(
      'direct messages of wallets that the caller has accepted, or of everyone where it takes those',
      true,
    ),
    requests: flag('the first messages of strangers', false),
    mentions: Type.Optional(
      flag('posts in joined chats that mention the caller by name or address; true when absent', true),
    ),
    chats: Type.Optional(
      flag(
        'each post in the chats of which the caller wants all (PUT /v1/chats/{nftaddr}/notifications); true when absent',
        true,
      ),
    ),
    reactions: Type.Optional(
      flag(
        'reactions of others to messages of the caller, without a sound where a device allows that; false when absent',
        true,
      ),
    ),
  },
  { description: 'which messages cause a notification', examples: [{ dm: true, requests: false }] },
)

const timeOfDay = (description: string, example: string) =>
  Text(5, description, {
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    examples: [example],
  })

const Quiet = Type.Object(
  {
    days: Type.Array(
      Type.Integer({ minimum: 1, maximum: 7, description: 'a day of the week', examples: [1] }),
      {
        minItems: 1,
        maxItems: 7,
        description: 'the days on which it begins: 1 is Monday, 7 Sunday',
        examples: [[1, 2, 3, 4, 5]],
      },
    ),
    from: timeOfDay('when it begins, hours and minutes', '22:00'),
    to: timeOfDay('when it ends; on the next day where that is not after `from`', '07:00'),
  },
  { $id: 'QuietHours', description: 'A time of the week without notifications' },
)

export const NotificationRules = Type.Object(
  {
    push: Kinds,
    preview: literals(
      ['none', 'name', 'text'],
      'what a push shows: none, the name of the sender, or the beginning of a text that is not encrypted as well',
    ),
    tz: Text(64, 'the time zone of the quiet hours, a name of IANA', {
      invisible: 'refused',
      examples: ['Europe/Berlin'],
    }),
    quiet: Type.Array(Quiet, {
      maxItems: 14,
      description: 'when there are no notifications and no mails about messages',
      examples: [[{ days: [1, 2, 3, 4, 5], from: '22:00', to: '07:00' }]],
    }),
    hold: flag(
      'true: one notification at the end of quiet hours covers the messages that came meanwhile; false: none does',
      true,
    ),
  },
  { $id: 'NotificationRules', description: 'Which notifications a wallet gets, and when' },
)
export type NotificationRules = Static<typeof NotificationRules>

export const ChatNotifications = Type.Object(
  {
    tell: literals(['all', 'mentions'], 'all: each post; mentions: those that mention the caller'),
    announcements: Type.Optional(
      flag(
        'true when the caller has agreed to announcements of the chat: by push, Telegram and mail, as the caller has set them up. When you set it: it stays as it is when absent',
        true,
      ),
    ),
  },
  { $id: 'ChatNotifications', description: 'Which posts of a chat notify the caller' },
)
export type ChatNotifications = Static<typeof ChatNotifications>
