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
    'stop_announcements',
    'allow_announcements',
    'recommend_community',
    'unrecommend_community',
    'hold',
    'release',
  ],
  'warn: a notice. mute: the wallet may read and not write. ban: the wallet may appeal, export and erase, and nothing else. lift: ends mutes and bans. revoke_tokens: the wallet must sign in again, and its API keys, hooks, webhooks and notifications end. remove_name, remove_picture: the name or the picture of the wallet is deleted. remove_message: a reported message of the wallet is deleted. remove_post: the text of a post of the wallet is deleted. note: for operators alone. acknowledge: closes reports. escalate: asks for another operator. shadow_mute: only the wallet sees what it writes, and gets no notice. shadow_lift: ends that. close_chat: a chat takes no messages. open_chat: ends that. takedown_community: nobody reads a community or posts in it, and it is in no list; a request to read it is refused with the reason. restore_community: ends that. stop_announcements: a chat announces nothing, and what it announces now ends; that of a community includes its rooms. allow_announcements: ends that. recommend_community: the directory has the community first and says so. unrecommend_community: ends that. hold: messages of a wallet or chat that anybody deletes are stored apart for the administrator of the service; nobody gets a notice. release: ends that, and deletes the messages that were stored apart',
)
export type Action = Static<typeof Action>

export const Reason = Text(
  1024,
  'why; the wallet reads it, unless it is a note; that of takedown_community everybody who opens the community',
  {
    minLength: 1,
    invisible: 'refused',
    examples: ['Sent the same link to 40 people'],
  },
)
export const Until = Type.String({
  ...Timestamp,
  description: 'the end of a mute or ban (RFC 3339, UTC); left out: it does not end',
})

export const NewAction = Type.Object(
  {
    action: Action,
    subject: {
      ...Address,
      description:
        'the wallet; of close_chat, open_chat, stop_announcements and allow_announcements the `nftaddr` of the chat; of takedown_community, restore_community, recommend_community and unrecommend_community the community; of hold and release either',
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
