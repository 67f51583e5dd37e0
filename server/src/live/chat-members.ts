import type { Db } from '../db/pool.ts'
import { findJoinedChats } from '../messages/chat-access.ts'
import type { Stream } from './stream.ts'

/** A wallet that has an open stream here. Without streams it has gone. */
export interface Member {
  address: string
  streams: Set<Stream>
  chats: Set<string>
  /** Those of which something was not delivered, because their gates were closed (guard.ts). */
  missed: Set<string>
  /** Those whose gates are being asked, while its streams wait. */
  asking: Set<string>
  /** Changes that come while its chats are loaded. */
  changes: (() => void)[] | undefined
}

export const newMember = (address: string): Member => ({
  address,
  streams: new Set(),
  chats: new Set(),
  missed: new Set(),
  asking: new Set(),
  changes: undefined,
})

/** Which members have joined a chat. */
export function createChatMembers(db: Db) {
  const membersOf = new Map<string, Set<Member>>()

  function enter(member: Member, chat: string): void {
    const others = membersOf.get(chat) ?? new Set()
    membersOf.set(chat, others.add(member))
    member.chats.add(chat)
  }

  function leave(member: Member, chat: string): void {
    member.chats.delete(chat)
    member.missed.delete(chat)
    const others = membersOf.get(chat)
    others?.delete(member)
    if (others?.size === 0) membersOf.delete(chat)
  }

  return {
    of: (chat: string): Iterable<Member> => membersOf.get(chat) ?? [],

    /**
     * Loads the chats of a new member. Changes that come meanwhile are newer, so they are applied
     * again after it.
     */
    async load(member: Member): Promise<void> {
      member.changes = []
      try {
        const chats = await findJoinedChats(db, member.address)
        if (member.streams.size === 0) return
        for (const chat of chats) enter(member, chat)
        for (const change of member.changes) change()
      } finally {
        member.changes = undefined
      }
    },

    change(member: Member, change: 'joined' | 'left', chat: string): void {
      const apply = () => (change === 'joined' ? enter : leave)(member, chat)
      apply()
      member.changes?.push(apply)
    },

    leaveAll(member: Member): void {
      for (const chat of member.chats) leave(member, chat)
    },
  }
}
