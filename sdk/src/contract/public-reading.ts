import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Made, Timestamp } from './fields.ts'

/** Says whether everybody may read a chat. */
export const PublicReading = Type.Object(
  {
    is_open: Type.Boolean({
      description: 'whether its owner has opened it: anyone can read it without signing in',
      examples: [true],
    }),
    since: Type.Optional(
      Type.String({
        ...Timestamp,
        description:
          'of a chat that is open: pages begin then, and show only messages that were posted from then on',
      }),
    ),
    search_engines: Type.Boolean({
      description: 'whether search engines may list its pages',
      examples: [false],
    }),
    path: Type.Optional(
      Made(600, 'of a chat that is open: where its page is, on the host of the service', ['/c/nightmarket']),
    ),
    offered: Type.Boolean({
      description: 'whether the service has public pages at all: its operator decides',
      examples: [true],
    }),
  },
  { $id: 'PublicReading', description: 'Whether everybody may read a chat' },
)
export type PublicReading = Static<typeof PublicReading>

const NewPublicReading = Type.Object(
  {
    is_open: PublicReading.properties.is_open,
    search_engines: Type.Optional(PublicReading.properties.search_engines),
  },
  { $id: 'NewPublicReading', description: 'Whether everybody may read a chat: its owner decides' },
)

/** Says whether a wallet shows its name on public pages. */
export const PublicName = Type.Object(
  {
    shows_name: Type.Boolean({
      description:
        'true: public pages show the name of the wallet beside its messages, or the ends of its address when it has none; false, as for every wallet that has not chosen: they show a member without a name',
      examples: [true],
    }),
  },
  { $id: 'PublicName', description: 'Whether a wallet shows its name on public pages' },
)
export type PublicName = Static<typeof PublicName>

// Spec gap: the interface shows a chat to wallets alone.
export const publicReading = endpoints({
  getPublicReading: {
    method: 'GET',
    path: '/v1/chats/{nftaddr}/public_reading',
    summary: 'Whether everybody may read a chat',
    description: 'For all who may read the chat. Clients show members that others read along.',
    access: 'wallet',
    scope: ['chat:read', 'chat'],
    place: { chat: ['nftaddr'] },
    response: PublicReading,
  },
  setPublicReading: {
    method: 'PUT',
    path: '/v1/chats/{nftaddr}/public_reading',
    summary: 'Open a chat for reading by everybody, or close it again',
    description:
      'For the owner of a community: others are 403. The page at `/c/{community}` begins after the notice of the service (`since`), without what was posted before; the log of the chat has an entry. Closing takes effect at once. 409 for a chat that a rule closes to some wallets. A field that is left out stays as it is.',
    access: 'wallet',
    publishes: true,
    needsRoom: false,
    body: NewPublicReading,
    response: PublicReading,
  },
  getPublicName: {
    method: 'GET',
    path: '/v1/public_name',
    summary: 'Whether the caller shows its name on public pages',
    access: 'wallet',
    response: PublicName,
  },
  setPublicName: {
    method: 'PUT',
    path: '/v1/public_name',
    summary: 'Show the name of the caller on public pages, or stop that',
    description: 'It holds for all messages of the wallet on public pages, at once.',
    access: 'wallet',
    needsRoom: false,
    body: PublicName,
    response: PublicName,
  },
})
