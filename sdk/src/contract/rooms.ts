import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, single, Text, Timestamp } from './fields.ts'

/** The maximum number of rooms that a community has beside its own chat, with those that are archived. */
export const mostRooms = 50
/** The maximum bytes of what the owner writes about a room. */
const titleBytes = 128
const aboutBytes = 1024

const RoomKind = Type.Union([Type.Literal('text'), Type.Literal('news')], {
  description:
    'text: everybody who may read it posts; news: only the owner and the moderators of the community post, and everybody reacts',
  examples: ['text'],
})

const ByDefault = Type.Boolean({
  description: 'whether wallets that join the community join it too',
  examples: [true],
})

const written = {
  title: Text(titleBytes, 'what the room is called', { invisible: 'refused', examples: ['Tools and sheds'] }),
  about: Text(aboutBytes, 'what it is for; empty for nothing', {
    invisible: 'refused',
    examples: ['What you lend, and what you look for.'],
  }),
}

/** A room of a community: a group chat whose key is `<community>/<room>`. */
export const Room = Type.Object(
  {
    nftaddr: Type.String({
      ...Address,
      description: 'the chat: the name of the community, a slash and the name of the room',
      examples: ['gardeners/tools'],
    }),
    ...written,
    kind: RoomKind,
    by_default: ByDefault,
    joined: Type.Boolean({ description: 'whether the caller has joined it', examples: [true] }),
    due: Type.Optional(
      Type.Literal(true, {
        description:
          'present when members join it and the caller, a member, has neither joined nor left it: `joinRooms` joins it',
        examples: [true],
      }),
    ),
    archived_at: Type.Optional({
      ...Timestamp,
      description: 'present when it is archived: since then nobody posts',
    }),
  },
  { $id: 'Room', description: 'A room of a community' },
)
export type Room = Static<typeof Room>

const Rooms = Type.Array(Room, { maxItems: mostRooms })

export const NewRoom = Type.Object(
  {
    room: Type.String({
      ...Address,
      maxLength: 64,
      description:
        'the name of the room: 1-64 printable characters without white space and none of / \\ ? # %, in lower case; it never changes',
      examples: ['tools'],
    }),
    title: Type.Optional(written.title),
    about: Type.Optional(written.about),
    kind: Type.Optional(RoomKind),
    by_default: Type.Optional(ByDefault),
  },
  { $id: 'NewRoom', description: 'A room to create' },
)
export type NewRoom = Static<typeof NewRoom>

export const RoomChange = Type.Object(
  {
    title: Type.Optional(written.title),
    about: Type.Optional(written.about),
    kind: Type.Optional(RoomKind),
    by_default: Type.Optional(ByDefault),
    archived: Type.Optional(
      Type.Boolean({ description: 'true to archive it, false to open it again', examples: [false] }),
    ),
    position: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostRooms,
        description: 'its new place among the rooms, from 1',
        examples: [1],
      }),
    ),
  },
  { $id: 'RoomChange', description: 'What changes of a room; what is left out stays' },
)
export type RoomChange = Static<typeof RoomChange>

const forModerators = 'For the owner and the moderators of the community: others are 403.'

// Spec gap: the interface has one chat in a community.
export const rooms = endpoints({
  listRooms: {
    method: 'GET',
    path: '/v1/communities/{community}/rooms',
    summary: 'The rooms of a community, in their order',
    description: `For all who may read the community. At most ${mostRooms}; the chat of the community itself, which comes before them, is not among them.`,
    access: 'wallet',
    scope: ['chat:read', 'chat'],
    place: { chat: ['community'] },
    response: Rooms,
  },
  createRoom: {
    method: 'POST',
    path: '/v1/communities/{community}/rooms',
    summary: 'Create a room in a community',
    description: `${forModerators} It is the last in the order. A name that looks like that of another room of the community is 409. At most ${mostRooms}.`,
    access: 'wallet',
    publishes: true,
    adds: 'This community already has {most} rooms',
    quotas: ['bytes'],
    limit: 'account',
    body: NewRoom,
    response: single(Room),
    idempotent: true,
  },
  joinRooms: {
    method: 'POST',
    path: '/v1/communities/{community}/rooms/join',
    summary: 'Join the rooms that every member joins, and that the caller has neither joined nor left',
    description:
      'For a wallet that has joined the community; others are 403. Joining the community does the same, so this is for rooms that were created since. Returns the rooms.',
    access: 'wallet',
    scope: ['inbox:write', 'chat'],
    place: { chat: ['community'] },
    quotas: ['bytes'],
    limit: 'account',
    response: Rooms,
  },
  changeRoom: {
    method: 'PUT',
    path: '/v1/rooms/{nftaddr}',
    summary: 'Change a room, its place in the order, or archive it',
    description: `${forModerators} In a room that is archived nobody posts, and everybody who may read it reads on.`,
    access: 'wallet',
    publishes: true,
    quotas: ['bytes'],
    body: RoomChange,
    response: single(Room),
  },
  deleteRoom: {
    method: 'DELETE',
    path: '/v1/rooms/{nftaddr}',
    summary: 'Delete a room in which nobody has ever posted',
    description: `${forModerators} Where somebody has posted it is 409: archive the room, so that nobody loses what they wrote.`,
    access: 'wallet',
  },
})
