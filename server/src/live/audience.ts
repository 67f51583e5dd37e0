import type { ServerResponse } from 'node:http'
import type { Db } from '../db/pool.ts'
import { chatKey } from '../messages/chat-key.ts'
import { createChatMembers, type Member, newMember } from './chat-members.ts'
import type { Item } from './log.ts'
import { createStream, type Stream } from './stream.ts'

export type Audience = ReturnType<typeof createAudience>

/** The open streams of this instance, by wallet and by chat. */
export function createAudience(db: Db) {
  const members = new Map<string, { member: Member; known: Promise<void> }>()
  const memberOf = new Map<Stream, Member>()
  const chatMembers = createChatMembers(db)

  function addMember(address: string) {
    const member = newMember(address)
    const known = chatMembers.load(member)
    // Streams that wait for it get the error; without one, nobody needs it.
    known.catch(() => {})
    members.set(address, { member, known })
    return { member, known }
  }

  return {
    streams: () => memberOf.keys(),
    get size() {
      return memberOf.size
    },

    /**
     * Adds a stream, which keeps new frames until it is opened. `known` settles when all its chats
     * are loaded.
     */
    join(address: string, response: ServerResponse, isOver: Stream['isOver']) {
      const { member, known } = members.get(address) ?? addMember(address)
      const stream = createStream(response, isOver)
      member.streams.add(stream)
      memberOf.set(stream, member)
      return { stream, known, member }
    },

    leave(stream: Stream): void {
      const member = memberOf.get(stream)
      memberOf.delete(stream)
      if (!member?.streams.delete(stream) || member.streams.size > 0) return
      members.delete(member.address)
      chatMembers.leaveAll(member)
    },

    /** The streams of some wallets, each once. */
    *of(...addresses: string[]): Generator<Stream> {
      for (const address of new Set(addresses)) yield* members.get(address)?.member.streams ?? []
    },

    /** The streams of the members of a chat. */
    *inChat(chat: string, except?: string): Generator<Stream> {
      for (const member of chatMembers.of(chat)) if (member.address !== except) yield* member.streams
    },

    /** The members of a chat. */
    membersOf: (chat: string): Iterable<Member> => chatMembers.of(chat),

    /** The members that missed something of a chat. */
    *missing(): Generator<Member> {
      for (const { member } of members.values()) if (member.missed.size > 0) yield member
    },

    /** Follows a wallet that joins or leaves a chat. */
    follow({ one, change, nftaddr }: Item): void {
      const member = members.get(one)?.member
      if (!member || nftaddr === null || (change !== 'joined' && change !== 'left')) return
      chatMembers.change(member, change, chatKey(nftaddr))
    },
  }
}
