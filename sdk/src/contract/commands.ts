import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Name, Text } from './fields.ts'

/** The maximum number of commands that a bot has in a chat, and that all bots of a chat have. */
export const mostCommands = 20
export const mostInChat = 200

const command = {
  word: Type.String({
    pattern: '^[a-z0-9_-]{1,32}$',
    maxLength: 32,
    description: 'the word after the slash: 1 to 32 of a-z, 0-9, _ and -',
    examples: ['weather'],
  }),
  description: Text(200, 'what it does, for a list of completions', {
    invisible: 'refused',
    examples: ['The weather of a place: /weather Berlin'],
  }),
}

const NewCommands = Type.Object(
  {
    commands: Type.Array(Type.Object(command), {
      maxItems: mostCommands,
      description: 'all that the caller answers to in this chat: at most 20, each word once',
      examples: [[{ word: 'weather', description: 'The weather of a place: /weather Berlin' }]],
    }),
  },
  { $id: 'NewCommands', description: 'The words that a bot answers to in a chat' },
)

export const Command = Type.Object(
  {
    ...command,
    walletaddr: Type.String({ ...Address, description: 'the bot that answers' }),
    name: Name('its name, empty when it has none', ['Weather']),
  },
  { $id: 'Command', description: 'A word that a bot answers to in a chat' },
)
export type Command = Static<typeof Command>

// Spec gap: the interface has no bots.
export const commands = endpoints({
  setCommands: {
    method: 'PUT',
    path: '/v1/chats/{nftaddr}/commands',
    summary: 'Register the commands of the caller in a chat',
    description: `They replace those that it had there; an empty list ends them. The caller must be a bot (PUT /v1/bot) that has joined the chat. A post of another wallet that begins with a slash and one of the words is sent to the caller's webhooks as the event \`command\` (docs/webhooks). Posts of wallets that have commands in the chat are no commands. The bots of a chat have at most ${mostInChat} words together.`,
    access: 'wallet',
    scope: 'chat:post',
    place: { chat: ['nftaddr'] },
    publishes: true,
    limit: 'account',
    adds: 'The bots of this chat already have {most} commands',
    quotas: ['bytes'],
    body: NewCommands,
    response: Type.Array(Command, { maxItems: mostInChat }),
  },
  listCommands: {
    method: 'GET',
    path: '/v1/chats/{nftaddr}/commands',
    summary: 'The commands of the bots in a chat',
    description: 'For all who may read it, in the order of the words.',
    access: 'wallet',
    scope: ['chat:read', 'chat'],
    place: { chat: ['nftaddr'] },
    response: Type.Array(Command, { maxItems: mostInChat }),
  },
})
