import { ApiError } from '@parley/sdk/contract/errors.ts'
import { mostRooms, type Room, type rooms } from '@parley/sdk/contract/rooms.ts'
import { isShadowMuted } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { requireChat } from '../../messages/chat-access.ts'
import { chatKey, communityOf } from '../../messages/chat-key.ts'
import { findPlace, joinDueRooms } from '../../messages/rooms.ts'
import { requireRole } from '../../messages/require-role.ts'
import { findAllUnseen, findUnseenRooms } from '../../messages/unseen.ts'
import { parseRoomName } from '../../values/display-name.ts'
import * as store from './store.ts'

const refusals = {
  taken: 'This community has a room of this name.',
  similar: 'Another room of this community has a name that looks like this one. Choose another name.',
}

/** Returns the key of a room that exists, in whose community a wallet has a role. */
async function requireRoom(ctx: Context, nftaddr: string, wallet: string): Promise<string> {
  const { chat } = await requireRole(ctx, nftaddr, wallet, 'owner', 'moderator')
  if (!(await findPlace(ctx.db, chat))?.kind)
    throw new ApiError('not_found', 'There is no such room: nftaddr must be <community>/<room>.')
  return chat
}

/** Returns the rooms of a community as a wallet sees them: what one does that is muted unseen, it alone sees. */
async function roomsAsSeenBy(ctx: Context, community: string, reader: string): Promise<Room[]> {
  const [all, hidden, own] = await Promise.all([
    store.findRooms(ctx.db, community, reader),
    findUnseenRooms(ctx, reader),
    isShadowMuted(ctx.standing, reader) ? findAllUnseen(ctx.db, reader, 'room') : undefined,
  ])
  const seen = all.filter(({ nftaddr }) => !hidden.includes(chatKey(nftaddr)))
  for (const room of seen) {
    const { title = room.title, about = room.about } = own?.get(chatKey(room.nftaddr)) ?? {}
    Object.assign(room, { title, about })
  }
  return seen
}

/** Returns one room as a list. */
const roomAsSeenBy = async (ctx: Context, chat: string, reader: string): Promise<Room[]> =>
  (await roomsAsSeenBy(ctx, communityOf(chat), reader)).filter(({ nftaddr }) => chatKey(nftaddr) === chat)

export const handlers: Handlers<typeof rooms> = {
  async listRooms(ctx, { caller, params: { community } }) {
    const { chat } = await requireChat(ctx, community, caller.address)
    return roomsAsSeenBy(ctx, chat, caller.address)
  },

  async createRoom(ctx, { caller: { address }, params: { community }, body, publishing, full }) {
    const { community: key } = await requireRole(ctx, community, address, 'owner', 'moderator')
    if (key !== chatKey(community) || !(await findPlace(ctx.db, key)))
      throw new ApiError('not_found', 'There is no such community.')
    const { room, ...rest } = body
    const name = parseRoomName(room)
    const chat = `${key}/${chatKey(room)}`
    if ('problem' in name) throw badRequest([{ pointer: '/body/room', detail: name.problem }])
    if (Array.from(chat).length > 128)
      throw badRequest([
        {
          pointer: '/body/room',
          detail: 'must be shorter: with the name of its community it has at most 127 characters',
        },
      ])
    const refused = await store.insertRoom(ctx.db, publishing, { chat, actor: address }, rest, name.skeletons)
    if (refused === 'full') throw full(mostRooms, 'Delete a room in which nobody has posted.')
    if (refused) throw new ApiError('conflict', refusals[refused])
    return roomAsSeenBy(ctx, chat, address)
  },

  async joinRooms(ctx, { caller: { address }, params: { community } }) {
    const { chat } = await requireChat(ctx, community, address)
    if (!(await store.hasJoined(ctx.db, chat, address)))
      throw new ApiError('forbidden', 'Join the community first (POST /v1/create_bookmark).')
    await joinDueRooms(ctx.db, address, chat, ctx.config.bookmarksInAll)
    return roomsAsSeenBy(ctx, chat, address)
  },

  async changeRoom(ctx, { caller: { address }, params: { nftaddr }, body, publishing }) {
    const chat = await requireRoom(ctx, nftaddr, address)
    await store.updateRoom(ctx.db, publishing, { chat, actor: address }, body)
    return roomAsSeenBy(ctx, chat, address)
  },

  async deleteRoom(ctx, { caller: { address }, params: { nftaddr } }) {
    const chat = await requireRoom(ctx, nftaddr, address)
    if (!(await store.deleteRoom(ctx.db, isShadowMuted(ctx.standing, address), { chat, actor: address })))
      throw new ApiError(
        'conflict',
        'Somebody has posted in this room: archive it instead, so that nobody loses what they wrote.',
      )
  },
}
