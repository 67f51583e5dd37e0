import type { ChatItem } from '../contract/direct-messages.ts'
import type { GroupChatItem } from '../contract/group-chats.ts'

/** A message that an agent receives. */
export interface Received {
  id: number
  /** The address of the wallet that wrote it. */
  from: string
  /** Its name; empty when it has none. */
  name: string
  /** The chat in which it was posted; left out of a direct message. */
  chat?: string
  /** The text of the message; left out when it is encrypted. */
  text?: string
  /** True when the wallets encrypted the message: the service and this agent cannot read it. */
  encrypted: boolean
  sentAt: Date
}

export function ofDirectMessage(item: ChatItem): Received {
  const encrypted = Boolean(item.encrypted_sym_x_key || item.x_access_conditions)
  return {
    id: item.id,
    from: item.fromaddr,
    name: item.sender_name,
    ...(!encrypted && { text: item.message }),
    encrypted,
    sentAt: new Date(item.timestamp),
  }
}

export const ofPost = (item: GroupChatItem): Received => ({
  id: item.id,
  from: item.fromaddr,
  name: item.sender_name,
  chat: item.nftaddr,
  text: item.message,
  encrypted: false,
  sentAt: new Date(item.timestamp),
})
