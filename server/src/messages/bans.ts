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
