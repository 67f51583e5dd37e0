// The team of a chat, as its owner has named it. It is shown inside of this chat alone, and never as the team of the service.

import { createContext, useContext } from 'react'
import { useChatTeam } from '../chat-moderation/team.ts'
import { isEvmAddress, shortAddress } from '../seal/address.ts'

/** The chat that is shown; undefined outside of chats. */
export const ShownChat = createContext<string | undefined>(undefined)

/** Returns the chat that is shown, and what a wallet does for its team; undefined for most. */
export function useChatLabel(address: string): { title: string; label: string } | undefined {
  const chat = useContext(ShownChat)
  const { data } = useChatTeam(chat)
  const found = data?.find(({ walletaddr }) => walletaddr === address)
  return chat && found
    ? { title: isEvmAddress(chat) ? shortAddress(chat) : chat, label: found.label }
    : undefined
}
