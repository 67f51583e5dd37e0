import type { ServerResponse } from 'node:http'
import type { Db } from '../db/pool.ts'
import { findJoinedChats } from '../messages/chat-access.ts'
import { chatKey } from '../messages/chat-key.ts'
import type { Item } from '../cluster/log.ts'
import { createStream, type Stream } from './stream.ts'

/** This is a wallet that has an open stream here. Without streams it has left. */
export interface Member {
  address: string
  streams: Set<Stream>
  chats: Set<string>
  /** Events of these chats were not delivered, because their gates were closed (guard.ts). */
  missed: Set<string>
  /** The gates of these chats are being checked, while the member's streams wait. */
  asking: Set<string>
  /** These changes come while its chats are loaded. */
  changes: (() => void)[] | undefined
}

const newMember = (address: string): Member => ({
  address,
  streams: new Set(),
  chats: new Set(),
  missed: new Set(),
  asking: new Set(),
  changes: undefined,
})

export type Audience = ReturnType<typeof createAudience>

/**
 * This has the open streams of this instance, by wallet and by chat. `begun` settles when the log is read: a chat that a wallet
 * joins before that is found in the database alone, so chats are loaded after it.
 */
export function createAudience(db: Db, begun: () => Promise<void>) {
  const members = new Map<string, { member: Member; known: Promise<void> }>()
  const memberOf = new Map<Stream, Member>()
  const chatMembers = createChatMembers(db)

  function addMember(address: string) {
    const member = newMember(address)
    const known = begun().then(() => chatMembers.load(member))
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

    /** Adds a stream, which holds new frames until it is opened. `known` settles when all its chats are loaded. */
    join(address: string, response: ServerResponse, options: Pick<Stream, 'isOver' | 'sees'>) {
      const { member, known } = members.get(address) ?? addMember(address)
      const stream = createStream(response, options)
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

    /** Yields the streams of some wallets, each once. */
    *of(...addresses: string[]): Generator<Stream> {
      for (const address of new Set(addresses)) yield* members.get(address)?.member.streams ?? []
    },

    /** Yields the streams of the members of a chat. */
    *inChat(chat: string, except?: string): Generator<Stream> {
      for (const member of chatMembers.of(chat)) if (member.address !== except) yield* member.streams
    },

    /** Yields the streams of a wallet, where it is a member of a chat. */
    *ofMember(chat: string, address: string): Generator<Stream> {
      const member = members.get(address)?.member
      if (member?.chats.has(chat)) yield* member.streams
    },

    membersOf: (chat: string): Iterable<Member> => chatMembers.of(chat),

    /** Yields the members that missed something of a chat. */
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

/** Knows which members have joined a chat. */
function createChatMembers(db: Db) {
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
