// These gates close a chat also to one wallet, or to everybody.

import { requireNoTakedown, type Standing, takedownOf } from '../auth/standing.ts'
import type { Bans } from './chat-rules.ts'
import type { Gate } from './gate.ts'

/** Makes a gate that also refuses banned wallets. */
export const keepOut = (gate: Gate, bans: Bans): Gate => ({
  ...gate,
  concerns: (wallet) => gate.concerns(wallet) || bans.concern(wallet),
  guards: (chat) => gate.guards(chat) || bans.guards(chat),
  async require(chat, wallet) {
    bans.require(chat, wallet)
    await gate.require(chat, wallet)
  },
  async closedTo(wallet, chats) {
    const banned = bans.concern(wallet) ? chats.filter((chat) => bans.isBanned(chat, wallet)) : []
    const closed = await gate.closedTo(wallet, chats)
    return [...new Set([...banned, ...closed])]
  },
  mayRead: (chat, wallet) => !bans.isBanned(chat, wallet) && gate.mayRead(chat, wallet),
})

/** Makes a gate that also refuses everybody in communities that were taken down. */
export function closeTakenDown(gate: Gate, standing: Standing): Gate {
  const isTakenDown = (chat: string) => takedownOf(standing, chat) !== undefined
  return {
    ...gate,
    concerns: (wallet) => standing.subjectsOf('takedown').length > 0 || gate.concerns(wallet),
    guards: (chat) => isTakenDown(chat) || gate.guards(chat),
    async require(chat, wallet) {
      requireNoTakedown(standing, chat)
      await gate.require(chat, wallet)
    },
    async closedTo(wallet, chats) {
      const closed = await gate.closedTo(wallet, chats)
      return [...new Set([...chats.filter(isTakenDown), ...closed])]
    },
    mayRead: (chat, wallet) => !isTakenDown(chat) && gate.mayRead(chat, wallet),
  }
}
