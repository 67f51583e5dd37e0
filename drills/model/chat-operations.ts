import { versionFor } from './marks.ts'
import { type Acts, type Choice, done } from './operation.ts'
import { postsOf, unreadOf } from './state.ts'

/**
 * A wallet reads a chat up to a message, or all of it. It is read first and counted then: what is posted in between is unread.
 */
export const reach = ({ by, to: chat, via }: Choice, text: string | undefined): Acts => ({
  steps: [
    (state) => {
      const posts = postsOf(state, chat)
      const reached = text === undefined ? posts.length : posts.findIndex((post) => post.text === text) + 1
      const entry = state.entered.find((one) => one.wallet === by && one.chat === chat)
      if (!entry) state.entered.push({ wallet: by, chat, posts: reached })
      else entry.posts = Math.max(entry.posts, reached)
      return undefined
    },
    (state) => `unread ${unreadOf(state, by, chat)}`,
  ],
  run: async ({ client, chats, ids }) => {
    const id = text === undefined ? Number.MAX_SAFE_INTEGER : ids.get(text)!
    const body = { id, context_type: chat === 0 ? 'community' : 'nft' } as const
    const read = await client(by, via).markReadTo({ addr: chats[chat]!, body })
    return read.id === id ? `unread ${read.unread}` : 'not all'
  },
})

/** These are the operations of wallets in group chats. */
export const inChats: Record<'post' | 'enter' | 'join' | 'leave', (picked: Choice, text: string) => Acts> = {
  post: ({ by, to: chat, via }, text) => ({
    steps: [
      ({ posts }) => {
        posts.push({ chat, text, from: by })
        return done
      },
    ],
    run: async ({ client, wallets, chats, ids }) => {
      const body = { fromaddr: wallets[by]!, nftaddr: chats[chat]!, message: text }
      const [posted] = await client(by, via).postGroupMessage({ body })
      ids.set(text, posted!.id)
      return done
    },
  }),

  // The chat is entered first and listed then: what is posted in between is shown, and still counts as unread.
  enter: ({ by, to: chat, via }) => ({
    steps: [
      (state) => {
        state.entered = state.entered.filter((entry) => entry.wallet !== by || entry.chat !== chat)
        state.entered.push({ wallet: by, chat, posts: postsOf(state, chat).length })
        return undefined
      },
      (state) =>
        postsOf(state, chat)
          .map((post) => versionFor(post, by).text)
          .join(),
    ],
    run: async ({ client, wallets, chats }) => {
      const items = await client(by, via).listGroupMessages({
        address: chats[chat]!,
        useraddress: wallets[by]!,
      })
      return items.map(({ message }) => message).join()
    },
  }),

  join: ({ by, to: chat, via }) => ({
    steps: [
      ({ bookmarks }) => {
        if (!bookmarks.some((mine) => mine.wallet === by && mine.chat === chat))
          bookmarks.push({ wallet: by, chat })
        return done
      },
    ],
    run: ({ client, wallets, chats }) =>
      client(by, via)
        .joinChat({ body: { walletaddr: wallets[by]!, nftaddr: chats[chat]! } })
        .then(() => done),
  }),

  leave: ({ by, to: chat, via }) => ({
    steps: [
      (state) => {
        const isOther = (mine: { wallet: number; chat: number }) => mine.wallet !== by || mine.chat !== chat
        state.bookmarks = state.bookmarks.filter(isOther)
        state.mutedChats = state.mutedChats.filter(isOther)
        return undefined
      },
      ({ bookmarks }) =>
        bookmarks
          .filter(({ wallet }) => wallet === by)
          .map((mine) => mine.chat)
          .join(),
    ],
    run: async ({ client, wallets, chats }) => {
      const body = { walletaddr: wallets[by]!, nftaddr: chats[chat]! }
      const left = await client(by, via).leaveChat({ body })
      return left.map(({ nftaddr }) => chats.indexOf(nftaddr)).join()
    },
  }),
}
