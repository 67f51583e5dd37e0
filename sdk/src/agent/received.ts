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
  /** How often it was edited; left out for never. */
  revision?: number
}

/** A message that was edited, as it is now. */
export type Edit = Received & { revision: number }

/** Returns the message of an event about an edit; undefined where no edit is counted: a bot replaces its text. */
export function ofEdit(item: ChatItem | GroupChatItem): Edit | undefined {
  const { revision } = item
  if (revision === undefined) return undefined
  return { ...('toaddr' in item ? ofDirectMessage(item) : ofPost(item)), revision }
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
    ...(item.revision !== undefined && { revision: item.revision }),
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
  ...(item.revision !== undefined && { revision: item.revision }),
})
