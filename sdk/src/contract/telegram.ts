import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Made, Timestamp } from './fields.ts'

export const TelegramLink = Type.Object(
  {
    linked: Type.Boolean({
      description: 'whether a chat of Telegram gets the notifications of the caller',
      examples: [true],
    }),
    name: Type.Optional(Made(256, 'what Telegram calls the person whose chat it is', ['Alice'])),
    since: Type.Optional(Timestamp),
  },
  { $id: 'TelegramLink', description: 'Whether notifications of the caller go to Telegram' },
)
export type TelegramLink = Static<typeof TelegramLink>

const NewTelegramLink = Type.Object(
  {
    url: Made(256, 'opens the chat with the bot in Telegram, whose button “Start” then links it', [
      'https://t.me/parley_example_bot?start=o1xT0mQb3kq7v2u8wYzA5cD9eF4gH6iJ',
    ]),
    expires_at: { ...Timestamp, description: 'until when it can be used, once' },
  },
  { $id: 'NewTelegramLink', description: 'The way to link a chat of Telegram' },
)

const off = '503 where this service has no bot: `detail` says what its operator has to set.'

// Spec gap: the interface notifies people of messages by mail alone.
export const telegram = endpoints({
  createTelegramLink: {
    method: 'POST',
    path: '/v1/telegram_link',
    summary: 'Make a link by which a Telegram chat gets the notifications of the caller',
    description: `Used once, within ten minutes; the one before is no longer valid. Only a chat of one person with the bot can be linked. It takes the place of the chat that is linked. ${off}`,
    access: 'wallet',
    grants: 'telegram',
    limit: 'account',
    needsRoom: false,
    response: NewTelegramLink,
  },
  getTelegramLink: {
    method: 'GET',
    path: '/v1/telegram_link',
    summary: 'Whether a Telegram chat gets the notifications of the caller',
    description: off,
    access: 'wallet',
    response: TelegramLink,
  },
  deleteTelegramLink: {
    method: 'DELETE',
    path: '/v1/telegram_link',
    summary: 'Unlink the Telegram chat',
    description: `Also where no chat is linked; a link that was made and not used is no longer valid. ${off}`,
    access: 'wallet',
    limit: 'account',
    changes: 0,
  },
})
