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
  /** Settles when `chats` is known. */
  known: Promise<void>
}

// Spec gap: a person with more than this many windows and devices is a program that does not close its streams.
const mostStreams = 32

/** Who listens here, and who of them is to be told of an item. */
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

  // What passes while the chats are being looked up is newer than what is found, so it is done again after it.
  const meanwhile = new Map<Member, (() => void)[]>()

  async function learn(member: Member): Promise<void> {
    meanwhile.set(member, [])
    try {
      const chats = await findJoinedChats(member.address)
      if (members.get(member.address) !== member) return
      for (const chat of chats) enter(member, chat)
      for (const change of meanwhile.get(member)!) change()
    } finally {
      meanwhile.delete(member)
    }
  }

  function newMember(address: string): Member {
    const member: Member = { address, streams: new Set(), chats: new Set(), known: Promise.resolve() }
    members.set(address, member)
    member.known = learn(member)
    // Whoever waits for it is told; when nobody does any more, nobody needs to be.
    member.known.catch(() => {})
    return member
  }

  return {
    streams: () => streams.keys(),
    get size() {
      return streams.size
    },

    /** Adds a stream that keeps what it is told until it is opened. `known` settles when all its chats are known. */
    join(
      address: string,
      response: ServerResponse,
      isOver: (now: number) => boolean,
    ): { stream: Stream; known: Promise<void> } {
      const member = members.get(address) ?? newMember(address)
      if (member.streams.size >= mostStreams)
        throw tooMany(`A wallet may have ${mostStreams} streams open. Close some.`, 10)
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
      meanwhile.get(member)?.push(apply)
    },
  }
}
