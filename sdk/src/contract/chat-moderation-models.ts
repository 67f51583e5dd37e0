import { type Static, Type } from 'typebox'
import { MutedUntil, NewMutedUntil } from './consent.ts'
import { Address, Id, Made, Text, Timestamp } from './fields.ts'

export const Reason = Text(512, 'why; a wallet that is muted or banned reads it', {
  invisible: 'refused',
  examples: ['Sent the same link ten times'],
})
export const WithReason = Type.Object({ reason: Type.Optional(Reason) })

/** The maximum number of moderators of a chat besides its owner. */
export const mostModerators = 50
/** The maximum number of wallets that are muted or banned in a chat at once. */
export const mostRestricted = 1000

/** A wallet that moderates a chat. */
export const Moderator = Type.Object(
  {
    walletaddr: Address,
    role: Type.Union([Type.Literal('owner'), Type.Literal('moderator')], {
      description: 'owner: decides who moderates, and by which rules; moderator: removes, mutes and bans',
      examples: ['moderator'],
    }),
    since: Timestamp,
  },
  { $id: 'Moderator', description: 'A wallet that moderates a chat' },
)
export type Moderator = Static<typeof Moderator>

/** A restriction of a wallet in a chat. */
export const Restriction = Type.Object(
  {
    walletaddr: Address,
    muted_until: Type.Optional(
      Type.Union(MutedUntil.anyOf, { description: 'until when it may not post', examples: ['forever'] }),
    ),
    banned_until: Type.Optional(
      Type.Union(MutedUntil.anyOf, {
        description: 'until when it may neither read nor post',
        examples: ['forever'],
      }),
    ),
    reason: Reason,
  },
  { $id: 'Restriction', description: 'What a wallet may not do in a chat' },
)
export type Restriction = Static<typeof Restriction>

export const NewRestriction = Type.Object(
  {
    muted_until: Type.Optional(NewMutedUntil),
    banned_until: Type.Optional(NewMutedUntil),
    reason: Type.Optional(Reason),
  },
  {
    $id: 'NewRestriction',
    description: 'What a wallet may not do in a chat: a field that is left out lifts it',
  },
)
export type NewRestriction = Static<typeof NewRestriction>

/** The rules that the owner of a chat has set. */
export const ChatRule = Type.Object(
  {
    slow_seconds: Type.Integer({
      minimum: 0,
      maximum: 21_600,
      description: 'slow mode: seconds between two posts of a wallet; 0 for none, 6 hours at most',
      examples: [30],
    }),
    words: Type.Array(Text(64, 'a word', { minLength: 1, invisible: 'refused', examples: ['airdrop'] }), {
      maxItems: 100,
      description:
        'a post that has one of these waits for a moderator; they are found in any case and with letters that look like theirs. Shown to moderators alone',
      examples: [['airdrop']],
    }),
    retention_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 36_500,
        description:
          'messages of the chat that are older are deleted; at most as many days as the service keeps messages. Left out of an answer, or 0: as long as the service does',
        examples: [30],
      }),
    ),
  },
  { $id: 'ChatRules', description: 'What the owner of a chat has set' },
)
export type ChatRule = Static<typeof ChatRule>

/** An action of an owner or moderator of a chat. */
export const ChatLogEntry = Type.Object(
  {
    id: Id,
    at: Timestamp,
    actor: Type.String({ ...Address, description: 'the owner or moderator; empty for one that was erased' }),
    action: Made(64, 'what it did', ['remove_post']),
    subject: Type.String({
      ...Address,
      description: 'the wallet that it is about; empty for none',
      examples: [''],
    }),
    post_id: Type.Optional(Type.Integer({ ...Id, description: 'the message that it is about' })),
    room: Type.Optional(
      Type.String({
        ...Address,
        description: 'the room of the community in which it happened; left out for the chat itself',
        examples: ['gardeners/tools'],
      }),
    ),
    until: Type.Optional(MutedUntil),
    reason: Reason,
  },
  { $id: 'ChatLogEntry', description: 'What an owner or moderator of a chat did' },
)
export type ChatLogEntry = Static<typeof ChatLogEntry>
