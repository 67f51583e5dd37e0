import { type Static, Type } from 'typebox'
import { ChatItem } from './direct-messages.ts'
import { endpoints } from './endpoint.ts'
import { Address, Id, Text, Timestamp } from './fields.ts'
import { GroupChatItem } from './group-chats.ts'

/** A search returns at most this many messages. */
export const mostHits = 50
/** At most this many places of a text are marked. */
export const mostMarks = 100

/** What a wallet searches for, and where. Of several filters all must fit. */
export const SearchFor = Type.Object(
  {
    q: Text(
      256,
      'words; "a phrase" in quotes; begin* for the beginning of a word, as the last word always is',
      {
        invisible: 'allowed',
        examples: ['invoice dece'],
      },
    ),
    peer: Type.Optional(Type.String({ ...Address, description: 'only the conversation with this wallet' })),
    chat: Type.Optional(
      Type.String({
        ...Address,
        description: 'only this chat: an NFT contract, a key such as poap_42, or the name of a community',
        // An example would be no chat of the reader.
        examples: [],
      }),
    ),
    from: Type.Optional(Type.String({ ...Address, description: 'only messages of this wallet' })),
    nftaddr: Type.Optional(
      Type.String({ ...Address, description: 'only direct messages about a token of this contract' }),
    ),
    since: Type.Optional(
      Type.String({ ...Timestamp, description: 'only messages sent at this time or later' }),
    ),
    until: Type.Optional(Type.String({ ...Timestamp, description: 'only messages sent before this time' })),
    has: Type.Optional(
      Type.Union([Type.Literal('file'), Type.Literal('link'), Type.Literal('picture')], {
        description: 'only messages with a file, a link or a picture; then q may be empty',
        examples: ['link'],
      }),
    ),
    before: Type.Optional(
      Type.Integer({
        ...Id,
        description: 'only messages with a smaller id: that of the last hit you have, or `searched_to`',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostHits,
        description: `the maximum number of hits: 1 to ${mostHits}, 20 when left out`,
        examples: [20],
      }),
    ),
  },
  { $id: 'SearchFor', description: 'What to search for, and where' },
)
export type SearchFor = Static<typeof SearchFor>

const Place = Type.Integer({ minimum: 0, description: 'a place in the text, in UTF-16 units', examples: [4] })

/** A message that was found. */
export const SearchHit = Type.Object(
  {
    item: Type.Union([ChatItem, GroupChatItem], {
      examples: [
        {
          id: 42,
          fromaddr: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
          toaddr: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
          message: 'The invoice of December',
          read: true,
          sender_name: 'vitalik',
          timestamp: '2026-11-20T18:30:00.123Z',
          timestamp_dtm: '2026-11-20T18:30:00.123Z',
        },
      ],
      description: 'the message, as lists show it to the caller; one of a chat has `context_type`',
    }),
    marks: Type.Array(
      Type.Array(Place, {
        minItems: 2,
        maxItems: 2,
        examples: [[4, 11]],
        description: 'where a match begins and ends, the end excluded',
      }),
      {
        maxItems: mostMarks,
        examples: [[[4, 11]]],
        description: 'where its text matched; empty when only the name of a file did',
      },
    ),
  },
  { $id: 'SearchHit', description: 'A message that was found, and where its text matched' },
)
export type SearchHit = Static<typeof SearchHit>

/** This follows the hits of a search that is not complete. */
export const SearchRest = Type.Object(
  {
    complete_to: Type.Optional(
      Type.String({
        ...Timestamp,
        description: 'the index is behind: some messages that were sent after this time may be missing',
      }),
    ),
    searched_to: Type.Optional(
      Type.Integer({
        ...Id,
        description: 'older messages were not searched: go on with this id as `before`',
      }),
    ),
  },
  { $id: 'SearchRest', description: 'What a search has not searched' },
)
export type SearchRest = Static<typeof SearchRest>

// Spec gap: the interface has no search.
export const search = endpoints({
  search: {
    method: 'POST',
    path: '/v1/search',
    summary: 'Search the direct messages of the caller and the chats that it has joined, newest first',
    description:
      'Words are compared without case and accents; a script without spaces is searched letter by letter. A link, an address and a hyphenated word are found as a whole and by their parts. Names of files are searched too. Nothing is found that no list shows the caller, and no encrypted message: clients search those on the device. The body is a POST so that no log of a proxy has the words. With fewer hits than `limit` there are no older ones, except after a last element with `searched_to`. An API key without the scope `chat:read` finds direct messages alone, and one without `inbox:read` posts alone. A search that takes longer than a second is 503: narrow it.',
    access: 'wallet',
    scope: ['inbox:read', 'chat:read'],
    body: SearchFor,
    response: Type.Array(Type.Union([SearchHit, SearchRest])),
    pages: true,
    limit: 'search',
    changes: 0,
    needsRoom: false,
  },
})
