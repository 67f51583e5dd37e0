import type { ServerResponse } from 'node:http'
import { tooMany } from '../limits/too-many.ts'
import { chatKey } from '../messages/chat-key.ts'
import type { Item } from './log.ts'
import { createStream, type Stream } from './stream.ts'

/** A wallet that has an open stream here. */
interface Member {
  address: string
  streams: Set<Stream>
  chats: Set<string>
  /** Settles when `chats` is loaded. */
  known: Promise<void>
}

// Spec gap: a person with more than this many windows and devices is a program that does not close
// its streams.
const maxStreams = 32

export type Audience = ReturnType<typeof createAudience>

/** The open streams of this instance, by wallet and by chat. */
export function createAudience(findJoinedChats: (wallet: string) => Promise<string[]>) {
  const members = new Map<string, Member>()
  const membersOf = new Map<string, Set<Member>>()
  const streams = new Map<Stream, Member>()

  function enter(member: Member, chat: string): void {
    const others = membersOf.get(chat) ?? new Set()
    membersOf.set(chat, others.add(member))
    member.chats.add(chat)
  }

  function leave(member: Member, chat: string): void {
    member.chats.delete(chat)
    const others = membersOf.get(chat)
    others?.delete(member)
    if (others?.size === 0) membersOf.delete(chat)
  }

  // Changes that come while the chats are loaded are newer than what is loaded, so they are applied
  // again after it.
  const changesWhileLoading = new Map<Member, (() => void)[]>()

  async function loadChats(member: Member): Promise<void> {
    changesWhileLoading.set(member, [])
    try {
      const chats = await findJoinedChats(member.address)
      if (members.get(member.address) !== member) return
      for (const chat of chats) enter(member, chat)
      for (const change of changesWhileLoading.get(member)!) change()
    } finally {
      changesWhileLoading.delete(member)
    }
  }

  function newMember(address: string): Member {
    const member: Member = { address, streams: new Set(), chats: new Set(), known: Promise.resolve() }
    members.set(address, member)
    member.known = loadChats(member)
    // Streams that wait for it get the error; without one, nobody needs it.
    member.known.catch(() => {})
    return member
  }

  return {
    streams: () => streams.keys(),
    get size() {
      return streams.size
    },

    /**
     * Adds a stream, which keeps new frames until it is opened. `known` settles when all its chats
     * are loaded.
     */
    join(
      address: string,
      response: ServerResponse,
      isOver: Stream['isOver'],
    ): { stream: Stream; known: Promise<void> } {
      const member = members.get(address) ?? newMember(address)
      if (member.streams.size >= maxStreams)
        throw tooMany(`A wallet may have ${maxStreams} streams open. Close some.`, 10)
      const stream = createStream(response, isOver)
      member.streams.add(stream)
      streams.set(stream, member)
      return { stream, known: member.known }
    },

    leave(stream: Stream): void {
      const member = streams.get(stream)
      streams.delete(stream)
      if (!member?.streams.delete(stream) || member.streams.size > 0) return
      members.delete(member.address)
      for (const chat of member.chats) leave(member, chat)
    },

    /** The streams of some wallets, each once. */
    *of(...addresses: string[]): Generator<Stream> {
      for (const address of new Set(addresses)) yield* members.get(address)?.streams ?? []
    },

    /** The streams of the members of a chat. */
    *inChat(chat: string, except?: string): Generator<Stream> {
      for (const member of membersOf.get(chat) ?? []) if (member.address !== except) yield* member.streams
    },

    /** Follows a wallet that joins or leaves a chat. */
    follow({ one, change, nftaddr }: Item): void {
      const member = members.get(one)
      if (!member || nftaddr === null || (change !== 'joined' && change !== 'left')) return
      const apply = () => (change === 'joined' ? enter : leave)(member, chatKey(nftaddr))
      apply()
      changesWhileLoading.get(member)?.push(apply)
    },
  }
}
