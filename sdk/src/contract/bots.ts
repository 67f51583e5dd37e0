import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, addressesOf } from './fields.ts'

/** The maximum number of wallets in one call. */
export const mostAskedBots = 50

/** A field that only bots have. */
export const isBot = Type.Optional(
  Type.Literal(true, {
    description: 'it is a bot: a program writes, as its owner says; left out for people',
    examples: [true],
  }),
)

/** Says that a wallet is a bot, or that it is not. */
export const Bot = Type.Object(
  { is_bot: Type.Boolean({ description: 'whether the wallet is a bot', examples: [true] }) },
  { $id: 'Bot', description: 'Whether a wallet is a bot' },
)
export type Bot = Static<typeof Bot>

// Spec gap: the interface does not tell programs from people.
export const bots = endpoints({
  becomeBot: {
    method: 'PUT',
    path: '/v1/bot',
    summary: "Make the caller's wallet a bot",
    description:
      'For a wallet of which a program writes. It is shown as a bot to everybody from then on, and begins no conversations: it sends direct messages only to wallets that have written to it, and to itself; others are 403 `not_asked`. This cannot be taken back; it ends when the account is erased. It holds on this instance at once, on others within two seconds. Repeating it changes nothing.',
    access: 'wallet',
    recent: true,
    limit: 'account',
    needsRoom: false,
    response: Bot,
  },
  getBot: {
    method: 'GET',
    path: '/v1/bot',
    summary: "Whether the caller's wallet is a bot",
    access: 'wallet',
    scope: 'any',
    response: Bot,
  },
  listBots: {
    method: 'GET',
    path: '/v1/bots',
    summary: 'Which of some wallets are bots',
    access: 'wallet',
    scope: 'public:read',
    query: Type.Object({
      addresses: addressesOf(mostAskedBots),
    }),
    response: Type.Array(Type.String({ ...Address, description: 'the address of one that is a bot' }), {
      maxItems: mostAskedBots,
    }),
  },
})
