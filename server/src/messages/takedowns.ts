import { requireNoTakedown, type Standing } from '../auth/standing.ts'
import type { Gate } from './gate.ts'

/** Makes a gate that also refuses everybody in communities that were taken down. */
export function closeTakenDown(gate: Gate, standing: Standing): Gate {
  const isTakenDown = (chat: string) => standing.sanction(chat, 'takedown') !== undefined
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
