import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Id, TokenId } from './fields.ts'

/** The position up to which the caller has read a conversation or a chat. */
export const ReadTo = Type.Object(
  {
    id: Type.Integer({ ...Id, description: 'the id of the last message that was read' }),
    context_type: Type.Union([Type.Literal('dm'), Type.Literal('nft'), Type.Literal('community')], {
      description:
        "what was read, as in a row of the inbox: dm for the conversation with a wallet, nft or community for a chat; an NFT's chat and a wallet may have the same address",
      examples: ['dm'],
    }),
    nftaddr: Type.Optional(
      Type.String({
        ...Address,
        description: 'of direct messages: only those about this NFT; nftid must be given too',
        examples: ['0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'],
      }),
    ),
    nftid: Type.Optional(TokenId),
  },
  { $id: 'ReadTo', description: 'Up to where a conversation or a chat was read' },
)
export type ReadTo = Static<typeof ReadTo>

/** The read state after a change. */
export const ReadState = Type.Object(
  {
    id: Type.Integer({
      ...Id,
      description: 'up to here everything is read now: the id of the request, or a smaller one',
    }),
    unread: Type.Integer({
      minimum: 0,
      description: 'how many messages of the whole conversation or chat are still unread',
      examples: [0],
    }),
  },
  { $id: 'ReadState', description: 'What is read now' },
)
export type ReadState = Static<typeof ReadState>

export const readState = endpoints({
  // Spec gap: the interface marks direct messages one by one, and a chat by listing it.
  markReadTo: {
    method: 'PUT',
    path: '/v1/read_to/{addr}',
    summary: 'Mark everything as read up to a message, in a conversation or a chat',
    description:
      'Of a conversation it marks what the wallet at `addr` has sent to the caller; it cannot be used to mark messages as unread. Of a chat it moves the place up to which the caller has read, never back. One event is sent for all of it. When very much was unread the answer names a smaller `id` than the request: repeat the request. Repeating it changes nothing else.',
    access: 'wallet',
    scope: ['inbox:write', 'dm', 'chat'],
    place: { peer: ['addr'], chat: ['addr'], by: 'context_type' },
    body: ReadTo,
    response: ReadState,
  },
})
