import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Id, Page, Text, Timestamp } from './fields.ts'

/** The maximum bytes of an emoji, and of the sealed value that an encrypted conversation has in its place. */
export const maxEmojiBytes = 32
export const maxSealedBytes = 2048

const value = 'an emoji of Unicode, or in an encrypted conversation one sealed value'
const Value = Text(maxSealedBytes, value, { minLength: 1, invisible: 'allowed', examples: ['❤️'] })

export const ReactionValues = Type.Array(Value, {
  maxItems: 3,
  description: 'all reactions of one wallet to the message: at most three',
  examples: [['❤️']],
})

/** How many wallets have reacted with a value. */
export const ReactionCount = Type.Object(
  {
    value: Value,
    count: Type.Integer({ minimum: 1, description: 'how many wallets have reacted with it', examples: [3] }),
    mine: Type.Optional(
      Type.Literal(true, {
        description: 'present in lists when the caller is one of them',
        examples: [true],
      }),
    ),
  },
  { $id: 'ReactionCount', description: 'How many wallets have reacted with a value' },
)
export type ReactionCount = Static<typeof ReactionCount>

/** A message has at most this many kinds of reactions. */
export const mostKinds = 20

/** A message can be edited at most this many times. */
export const mostEdits = 10

/** A message has these fields when it was edited. */
export const edited = {
  revision: Type.Optional(
    Type.Integer({ minimum: 1, description: 'how often it was edited; absent for never', examples: [1] }),
  ),
  edited_at: Type.Optional(Timestamp),
}

/** A list has these fields of a message; a message without them has none of what they say. An event of a message never has them. */
export const marks = {
  reactions: Type.Optional(
    Type.Array(ReactionCount, {
      minItems: 1,
      // What only the caller sees of its own reactions comes on top.
      maxItems: mostKinds + 3,
      description: 'how many wallets have reacted with which value, the most frequent one first',
    }),
  ),
  pinned: Type.Optional(Type.Literal(true, { description: 'present when it is pinned', examples: [true] })),
}

export const NewReactions = Type.Object(
  { values: ReactionValues },
  {
    $id: 'NewReactions',
    description: 'The reactions of a wallet to a message, which replace its earlier ones',
  },
)

/** The reactions of one wallet to a message. */
export const Reaction = Type.Object(
  { fromaddr: Address, values: ReactionValues },
  { $id: 'Reaction', description: 'The reactions of one wallet to a message' },
)
export type Reaction = Static<typeof Reaction>

/** The reactions of the caller to a message. */
export const OwnReaction = Type.Object(
  { id: Id, values: ReactionValues },
  { $id: 'OwnReaction', description: 'The reactions of the caller to the message with this id' },
)
export type OwnReaction = Static<typeof OwnReaction>

/** One answer has at most this many wallets. */
export const mostReactionsListed = 25

// Spec gap: the interface has no reactions.
export const reactions = endpoints({
  react: {
    method: 'PUT',
    path: '/v1/reactions/{id}',
    summary: 'Set the reactions of the caller to a message',
    description:
      'They replace its earlier ones; an empty list removes them. At most three emoji, each one that Unicode recommends; in an encrypted conversation one sealed value of at most 2 KiB. A message has at most 20 kinds of them. A wallet reacts where it may write: not to a request before it has accepted it, and not in a chat that is closed to it.',
    access: 'wallet',
    scope: 'reaction:write',
    publishes: true,
    quotas: ['bytes'],
    body: NewReactions,
  },
  listReactions: {
    method: 'GET',
    path: '/v1/reactions/{id}',
    summary: 'Who has reacted to a message, in the order of addresses',
    description: `At most ${mostReactionsListed} wallets; the next ones follow with \`after\`. With \`value\` only those who have reacted with it. For all who may read the message.`,
    access: 'wallet',
    scope: 'inbox:read',
    query: Type.Object({
      after: Type.Optional(
        Type.String({
          ...Address,
          description: 'only wallets after this address: the last one that you have',
        }),
      ),
      value: Type.Optional(
        Text(maxEmojiBytes, 'only wallets that have reacted with this emoji', {
          minLength: 1,
          invisible: 'allowed',
          examples: ['❤️'],
        }),
      ),
    }),
    response: Type.Array(Reaction, { maxItems: mostReactionsListed }),
  },
  listOwnReactions: {
    method: 'GET',
    path: '/v1/reactions',
    summary: 'The reactions of the caller to the messages with some ids',
    access: 'wallet',
    scope: 'inbox:read',
    query: Type.Object({
      ...Page.properties,
      from: Type.Optional(
        Type.Integer({ ...Id, description: 'only to messages with this id or a greater one' }),
      ),
      to: Type.Optional(
        Type.Integer({ ...Id, description: 'only to messages with this id or a smaller one' }),
      ),
    }),
    response: Type.Array(OwnReaction),
    pages: true,
  },
})
