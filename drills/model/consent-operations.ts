import { ApiError } from '@parley/sdk'
import { forgetReactionsOf } from './marks.ts'
import { type Acts, type Choice, done } from './operation.ts'
import { type Decision, decide, type State, viewOf } from './state.ts'
import { walletCount } from './real.ts'

const until = (is: boolean) => (is ? 'forever' : null)

/** These are the decisions of wallets about others. */
export const consent: Record<
  'block' | 'think' | 'decideAll' | 'mute' | 'muteChat' | 'erase',
  (picked: Choice) => Acts
> = {
  /** Blocks a wallet, or unblocks it. */
  block: ({ by, to, read, via }) => ({
    steps: [
      (state) => {
        if (by === to) return done
        unblock(state, by, to)
        if (read) state.blocked.push({ by, peer: to })
        return done
      },
    ],
    run: async ({ client, wallets }) => {
      if (by !== to) await client(by, via).setContact({ peer: wallets[to]!, body: { blocked: read } })
      return done
    },
  }),

  /** Accepts or ignores a wallet, or forgets what it has decided; it is not blocked then. */
  think: ({ by, to, which, via }) => {
    const is = ([undefined, 'accepted', 'ignored'] as const)[which % 3]
    return {
      steps: [
        (state) => {
          if (by === to) return done
          unblock(state, by, to)
          decide(state, by, to, is)
          return done
        },
      ],
      run: async ({ client, wallets }) => {
        const body = { state: is ?? ('unknown' as const) }
        if (by !== to) await client(by, via).setContact({ peer: wallets[to]!, body })
        return done
      },
    }
  },

  /** Accepts or ignores all requests: one conversation after the other. */
  decideAll: ({ by, read, via }) => ({
    steps: [
      ...[...Array(walletCount).keys()].map((peer) => (state: State) => {
        const is: Decision = read ? 'accepted' : 'ignored'
        if (`wallet ${peer}` in viewOf(state, by, walletCount).requests) decide(state, by, peer, is)
        return undefined
      }),
      () => done,
    ],
    run: async ({ client }) => {
      await (read ? client(by, via).acceptRequests() : client(by, via).clearRequests())
      return done
    },
  }),

  mute: ({ by, to, read, via }) => ({
    steps: [
      (state) => {
        if (by === to) return done
        state.muted = state.muted.filter((one) => one.by !== by || one.peer !== to)
        if (read) state.muted.push({ by, peer: to })
        return done
      },
    ],
    run: async ({ client, wallets }) => {
      const body = { muted_until: until(read) }
      if (by !== to) await client(by, via).setContact({ peer: wallets[to]!, body })
      return done
    },
  }),

  muteChat: ({ by, to: chat, read, via }) => ({
    steps: [
      (state) => {
        if (!state.bookmarks.some((mine) => mine.wallet === by && mine.chat === chat)) return 'not joined'
        state.mutedChats = state.mutedChats.filter((one) => one.wallet !== by || one.chat !== chat)
        if (read) state.mutedChats.push({ wallet: by, chat })
        return done
      },
    ],
    run: ({ client, chats }) =>
      client(by, via)
        .muteChat({ nftaddr: chats[chat]!, body: { muted_until: until(read) } })
        .then(
          () => done,
          (error: unknown) => {
            if (error instanceof ApiError && error.code === 'not_found') return 'not joined'
            throw error
          },
        ),
  }),

  /** Erases its account, and signs in again: its sides of its conversations, its chats, then the rest. */
  erase: ({ by, via }) => ({
    steps: [
      (state) => {
        for (const message of [...state.messages, ...state.posts]) forgetReactionsOf(message, by)
        return undefined
      },
      ...[...Array(walletCount).keys()].map((peer) => (state: State) => {
        for (const message of state.messages)
          if (isBetween(message, by, peer)) message.erased = [...(message.erased ?? []), by]
        unblock(state, by, peer)
        decide(state, by, peer, undefined)
        return undefined
      }),
      ...[0, 1, 2].map((chat) => (state: State) => {
        const isOther = (one: { wallet: number; chat: number }) => one.wallet !== by || one.chat !== chat
        state.bookmarks = state.bookmarks.filter(isOther)
        state.mutedChats = state.mutedChats.filter(isOther)
        state.entered = state.entered.filter(isOther)
        return undefined
      }),
      (state) => {
        state.muted = state.muted.filter((one) => one.by !== by)
        for (const message of state.messages) if (message.pin?.by === by) delete message.pin
        return done
      },
    ],
    run: async (real) => {
      await real.client(by, via).eraseAccount({ address: real.wallets[by]! })
      await real.signInAgain(by)
      return done
    },
  }),
}

function unblock(state: State, by: number, peer: number): void {
  state.blocked = state.blocked.filter((one) => one.by !== by || one.peer !== peer)
}

const isBetween = ({ from, to }: { from: number; to: number }, one: number, other: number) =>
  (from === one && to === other) || (from === other && to === one)
