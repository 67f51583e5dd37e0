import { type Static, Type } from 'typebox'
import { Address, Id, Text, Timestamp } from './fields.ts'
import { literals } from './literals.ts'

/** The maximum number of reports that an action may answer. */
export const mostAnswered = 50

/** The actions about which a wallet gets a notice. */
export const noticed = [
  'warn',
  'mute',
  'ban',
  'lift',
  'revoke_tokens',
  'remove_name',
  'remove_picture',
  'remove_message',
  'remove_post',
] as const

/** An action of an operator. */
export const Action = literals(
  [
    ...noticed,
    'note',
    'acknowledge',
    'escalate',
    'shadow_mute',
    'shadow_lift',
    'close_chat',
    'open_chat',
    'takedown_community',
    'restore_community',
    'hold',
    'release',
  ],
  'warn: a notice. mute: it may read and not write. ban: it may appeal, export, erase, and nothing else. lift: ends mutes and bans. revoke_tokens: it must sign in again, and its API keys, hooks, webhooks and notifications are ended. remove_name, remove_picture: what it shows of itself is deleted. remove_message: a message of it that was reported is deleted. remove_post: the text of a post of it is deleted. note: for operators alone. acknowledge: closes reports. escalate: asks for another operator. shadow_mute: its direct messages reach nobody, and it is not told. shadow_lift: ends that. close_chat, open_chat: a chat takes no messages. takedown_community: nobody reads a community or posts in it, and it is in no list; who wants to read it is told why. restore_community: it is as it was. hold: what is deleted of the messages of a wallet or chat, by whomever, is kept aside for whoever runs the service; nobody is told. release: ends that, and what was kept is deleted',
)
export type Action = Static<typeof Action>

export const Reason = Text(
  1024,
  'why; the wallet reads it, unless it is a note; of takedown_community everybody who wants to read it',
  {
    minLength: 1,
    invisible: 'refused',
    examples: ['Sent the same link to 40 people'],
  },
)
export const Until = Type.String({
  ...Timestamp,
  description: 'the end of a mute or ban (RFC 3339, UTC); left out: for ever',
})

export const NewAction = Type.Object(
  {
    action: Action,
    subject: {
      ...Address,
      description:
        'the wallet; of close_chat and open_chat the `nftaddr` of the chat; of takedown_community and restore_community the community; of hold and release either',
    },
    until: Type.Optional(Until),
    reason: Reason,
    report_ids: Type.Optional(
      Type.Array(Id, {
        maxItems: mostAnswered,
        uniqueItems: true,
        description:
          'the reports of the same wallet or chat that this answers: they are closed, or escalated; a note leaves them as they are',
        examples: [[7]],
      }),
    ),
    item_id: Type.Optional({
      ...Id,
      description: 'of remove_message: a message in one of these reports; of remove_post: a post',
    }),
  },
  { $id: 'NewAction', description: 'What an operator does with a wallet or chat' },
)
