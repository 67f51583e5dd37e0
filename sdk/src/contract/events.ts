import { type Static, type TProperties, Type } from 'typebox'
import { ContactState, MutedUntil } from './consent.ts'
import { ChatItem } from './direct-messages.ts'
import { endpoints } from './endpoint.ts'
import { Address, Id, Made, Timestamp, TokenId } from './fields.ts'
import { GroupChatItem, RemovedBy } from './group-chats.ts'
import { ClaimChange, claimChanged } from './moving.ts'
import { TeamLabel } from './official.ts'
import { mostKinds, ReactionCount, ReactionValues } from './reactions.ts'

const event = <const Name extends string, Fields extends TProperties>(
  type: Name,
  fields: Fields,
  description: string,
) =>
  Type.Object(
    { type: Type.Literal(type, { description: 'what happened', examples: [type] }), ...fields },
    { description },
  )

const after = (whose: string) =>
  Type.Optional(
    Type.Integer({
      ...Id,
      description: `up to here the messages stay as they were: ${whose} had erased its side of them`,
    }),
  )

/** An event for a signed-in wallet. */
export const ServiceEvent = Type.Union(
  [
    event('direct-message', { item: ChatItem }, 'A direct message was sent to or by the wallet'),
    event('group-message', { item: GroupChatItem }, 'A message was posted in a chat the wallet has joined'),
    event(
      'post-removed',
      { id: Id, nftaddr: Address, removed_by: RemovedBy },
      'A message of a chat that the wallet has joined was removed: its text is gone, the item stays',
    ),
    event(
      'read',
      {
        id: Id,
        fromaddr: Address,
        toaddr: Address,
        read: Type.Boolean({ description: 'the flag as it is now', examples: [true] }),
      },
      'The recipient marked a direct message as read or unread',
    ),
    event(
      'read-to',
      {
        id: Id,
        fromaddr: Address,
        toaddr: Address,
        after: after('the recipient'),
        nftaddr: Type.Optional(Address),
        nftid: Type.Optional(TokenId),
      },
      'The recipient marked as read what it has received from `fromaddr` up to a direct message; with an NFT only what is about it',
    ),
    event('deleted', { id: Id, fromaddr: Address, toaddr: Address }, 'The sender deleted a direct message'),
    event(
      'conversation-deleted',
      { fromaddr: Address, toaddr: Address, after: after('`fromaddr`') },
      'The wallet `fromaddr` deleted the whole conversation for both',
    ),
    event(
      'hidden',
      { id: Id, fromaddr: Address, toaddr: Address },
      'The wallet deleted a direct message for itself alone',
    ),
    event(
      'conversation-hidden',
      { fromaddr: Address, toaddr: Address },
      'The wallet, `fromaddr`, deleted the whole conversation with `toaddr` for itself alone',
    ),
    event(
      'edited',
      {
        id: Id,
        fromaddr: Address,
        item: Type.Union([
          Type.Omit(ChatItem, ['reactions', 'pinned']),
          Type.Omit(GroupChatItem, ['reactions', 'pinned']),
        ]),
        writing: Type.Optional(
          Type.Literal(true, { description: 'present while a bot makes its text: the next one follows' }),
        ),
      },
      'A message was edited, or a post was announced: `item` is as it is now, without reactions and pins',
    ),
    event(
      'reacted',
      {
        id: Id,
        fromaddr: Type.Optional(Address),
        toaddr: Type.Optional(Address),
        nftaddr: Type.Optional(Address),
        values: Type.Optional(ReactionValues),
        reactions: Type.Optional(
          Type.Array(ReactionCount, {
            maxItems: mostKinds + 3,
            description: 'of a chat: the reactions as they are now',
          }),
        ),
      },
      'A wallet reacted to a message. In a conversation `values` has the reactions of `fromaddr`; in a chat `reactions` has the counts of all',
    ),
    event(
      'reacted-mine',
      { id: Id, values: ReactionValues },
      'The wallet itself reacted to a message, perhaps on another device',
    ),
    event(
      'pinned',
      { id: Id, fromaddr: Address, toaddr: Type.Optional(Address), nftaddr: Type.Optional(Address) },
      'The wallet `fromaddr` pinned a message of a conversation or a chat',
    ),
    event(
      'unpinned',
      { id: Id, fromaddr: Address, toaddr: Type.Optional(Address), nftaddr: Type.Optional(Address) },
      'The wallet `fromaddr` removed the pin of a message',
    ),
    event(
      'inbox',
      {
        change: Type.Optional(
          Type.Union([Type.Literal('joined'), Type.Literal('left'), Type.Literal('entered')], {
            description: 'what the wallet did with the chat: joined, left or entered',
            examples: ['joined'],
          }),
        ),
        nftaddr: Type.Optional(Address),
        id: Type.Optional(
          Type.Integer({ ...Id, description: 'of a chat that was entered: up to which message it is read' }),
        ),
      },
      'The inbox changed in another way: a chat was joined, left or entered. Read it again',
    ),
    event(
      'rooms',
      {
        nftaddr: Type.String({ ...Address, description: 'the community', examples: ['gardeners'] }),
        room: Type.String({ ...Address, description: 'the room', examples: ['gardeners/tools'] }),
      },
      'A room of a community that the wallet has joined was created, changed, moved, archived or deleted: `listRooms` has what there is now',
    ),
    event(
      'official',
      { wallet: Address, label: Type.Optional(TeamLabel), since: Type.Optional(Timestamp) },
      'A wallet was named as one of the team of the service, or got another label; without `label` it was taken off the team. Not stored',
    ),
    event('imported', ClaimChange, claimChanged),
    event(
      'contact',
      {
        peer: Address,
        state: ContactState,
        muted_until: Type.Union([MutedUntil, Type.Null()], {
          description: 'until when it is muted; null when it is not',
          examples: ['forever'],
        }),
      },
      'The wallet accepted, ignored, blocked, muted or named another one: what its inbox shows may have changed',
    ),
    event(
      'notice',
      {
        action: Made(
          64,
          'what was done, as in a Notice; `report`: an operator closed a report of the wallet',
          ['warn'],
        ),
      },
      'An operator of the service did something with the wallet, or something was added that reads or writes for it (GET /v1/notices); or an operator closed one of its reports (GET /v1/reports)',
    ),
    event(
      'typing',
      {
        fromaddr: Address,
        toaddr: Type.Optional(Address),
        nftaddr: Type.Optional(Address),
      },
      'A peer is typing to the wallet, or in a chat that it has joined. Not stored',
    ),
    event(
      'resync',
      {
        change: Type.Optional(
          Type.Literal('erased', {
            description: 'erased: the wallet was erased, and its streams end',
            examples: ['erased'],
          }),
        ),
      },
      'Events may be missing. Read again what you show',
    ),
  ],
  { $id: 'ServiceEvent', description: 'What happens to a signed-in wallet' },
)
export type ServiceEvent = Static<typeof ServiceEvent>

/** Says who is typing, and in which conversation or chat. */
export const TypingNotice = Type.Object(
  {
    fromaddr: Address,
    toaddr: Type.Optional(Address),
    nftaddr: Type.Optional(
      Type.String({
        ...Address,
        description: 'the chat: an NFT contract, or the name of a community',
        examples: ['0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'],
      }),
    ),
  },
  { $id: 'TypingNotice', description: 'Who is typing, and to whom or where: either toaddr or nftaddr' },
)
export type TypingNotice = Static<typeof TypingNotice>

// Spec gap: the interface has no events and no path for them.
export const events = endpoints({
  streamEvents: {
    method: 'GET',
    path: '/v1/events',
    summary: 'What happens to the wallet, live (Server-Sent Events)',
    description: `Each \`data:\` is one ServiceEvent as JSON: messages of all conversations and of the joined chats that the wallet may read, also those sent from the wallet's other devices; read flags, deletions, changes of the inbox, typing.

Events come at least once, in order per conversation. An event that is repeated has the same number after the point of its \`id:\`. After a broken connection send the last \`id:\` as \`Last-Event-ID\`: missed events come first, also from another instance. When events may be missing, a \`resync\` event says so; also when a chat for holders opens to the wallet and has messages that were held back. At least every 20 seconds there is an event or a comment. With scopes for some wallets and chats alone the stream has nothing else than what happens there. The stream ends when the token is no longer valid.`,
    access: 'wallet',
    scope: ['inbox:read', 'dm:read', 'dm', 'chat'],
    place: 'handler',
    response: ServiceEvent,
    produces: 'text/event-stream',
  },
  sendTyping: {
    method: 'POST',
    path: '/v1/typing',
    summary: 'Announce that the wallet is typing, to a wallet or in a joined chat; not stored',
    description:
      'More than one call per second for the same target are dropped; also to a wallet that has blocked or ignored the caller, or keeps its messages as a request. In a chat for holders only they type, and see who does. An API key needs a scope of direct messages for `toaddr`, and one of chats for `nftaddr`.',
    access: 'wallet',
    scope: ['dm:send', 'dm:begin', 'dm', 'chat:post', 'chat'],
    place: { peer: ['toaddr'], chat: ['nftaddr'] },
    publishes: true,
    needsRoom: false,
    self: 'fromaddr',
    body: TypingNotice,
    changes: 0,
  },
})
