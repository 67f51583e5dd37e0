import { communityPath } from '@parley/sdk/chat-path.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { PublicReading, publicReading } from '@parley/sdk/contract/public-reading.ts'
import { requireOpenChat } from '../../auth/standing.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { requireChat } from '../../messages/chat-access.ts'
import type { Chat } from '../../messages/chat-key.ts'
import { getRole } from '../../messages/chat-rules.ts'
import { getOpened, isKeptIn, type OpenedChat } from '../../messages/public-chats.ts'
import { requireRole } from '../../messages/require-role.ts'
import * as store from './store.ts'

const shape = (opened: OpenedChat | undefined, nftaddr: string, offered: boolean): PublicReading =>
  opened
    ? {
        is_open: true,
        since: new Date(opened.from_ms).toISOString(),
        search_engines: opened.searched,
        path: communityPath(nftaddr),
        offered,
      }
    : { is_open: false, search_engines: false, offered }

const notOffered = () =>
  new ApiError(
    'forbidden',
    'Nobody can read chats here without signing in: an administrator can set PUBLIC_PAGES=on.',
  )

const forSomeAlone = () =>
  new ApiError(
    'conflict',
    'A rule lets only some wallets read this chat, so it cannot be open to everybody. Remove the rule for reading first.',
  )

function requireCommunity({ context_type }: Pick<Chat, 'context_type'>): void {
  if (context_type !== 'community')
    throw new ApiError(
      'conflict',
      'This is the chat of an NFT contract. Only a community can be opened for reading by everybody.',
    )
}

export const handlers: Handlers<typeof publicReading> = {
  async getPublicReading(ctx, { caller, params }) {
    const { chat, nftaddr } = await requireChat(ctx, params.nftaddr, caller.address)
    const opened = await getOpened(ctx.db, chat)
    const isSeen =
      opened && (!opened.unseen || (await getRole(ctx.db, chat, caller.address)) === 'owner')
        ? opened
        : undefined
    return shape(isSeen, nftaddr, ctx.config.publicPages)
  },

  async setPublicReading(ctx, { caller, params, body: { is_open, search_engines }, publishing }) {
    const found = await requireChat(ctx, params.nftaddr, caller.address)
    const { chat, nftaddr } = found
    await requireRole(ctx, chat, caller.address, 'owner')
    const { publicPages, publicPagesNotice } = ctx.config
    if (is_open) {
      requireCommunity(found)
      if (!publicPages) throw notOffered()
      requireOpenChat(ctx.standing, chat)
      if (isKeptIn(ctx, chat)) throw forSomeAlone()
    }
    const opened = await store.setOpened(ctx.db, chat, {
      actor: caller.address,
      is_open,
      search_engines,
      from: ctx.db.now() + publicPagesNotice * 1000,
      unseen: publishing.isUnseen,
    })
    return shape(opened, nftaddr, publicPages)
  },

  async getPublicName({ db }, { caller }) {
    return { shows_name: await store.showsName(db, caller.address) }
  },

  async setPublicName({ db }, { caller, body: { shows_name } }) {
    await store.setShowsName(db, caller.address, shows_name)
    return { shows_name }
  },
}
