// Checks the gates of chats (messages/gate.ts) for open streams: a post in a chat with a gate goes to those of its members whose
// last result is fresh. Where a chain must be called first, the streams of the wallet wait for it, and no others. When a closed
// gate opens, a `resync` makes up for what it held back.

import { forEachLimited } from '../lib/for-each-limited.ts'
import type { Gate } from '../messages/gate.ts'
import type { Audience, Member } from './audience.ts'
import { type Frame, hold, release, resync, send, type Stream } from './stream.ts'

/** Gates that have held something back are checked again after this many milliseconds. */
const retryEvery = 30_000
const atOnce = 400

export type Guard = ReturnType<typeof createGuard>

export function createGuard(gate: Gate, audience: Audience) {
  let retried = performance.now()

  /** Remembers that something of a chat was held back, unless the member has left it meanwhile. */
  function miss(member: Member, chat: string): void {
    if (member.chats.has(chat)) member.missed.add(chat)
  }

  /** Returns whether a member may get a frame; if not, that is remembered. */
  const passesTo = (member: Member) => (frame: Frame) => {
    if (frame.chat === undefined || gate.mayRead(frame.chat, member.address)) return true
    miss(member, frame.chat)
    return false
  }

  function makeGood(member: Member): void {
    const open = [...member.missed].filter((chat) => gate.mayRead(chat, member.address))
    for (const chat of open) member.missed.delete(chat)
    if (open.length > 0) for (const stream of member.streams) send(stream, resync())
  }

  /** Checks the gate of a chat, while the streams of the member wait. */
  async function askFor(member: Member, chat: string): Promise<void> {
    if (member.asking.has(chat)) return
    member.asking.add(chat)
    const streams = [...member.streams]
    for (const stream of streams) hold(stream)
    await gate.closedTo(member.address, [chat])
    member.asking.delete(chat)
    makeGood(member)
    for (const stream of streams) release(stream, passesTo(member))
  }

  /** Checks the gates of what a member has missed, and sends the member an event when one has opened. */
  async function retry(member: Member): Promise<void> {
    await gate.closedTo(member.address, [...member.missed])
    makeGood(member)
  }

  return {
    guards: gate.guards,
    passesTo,

    /** Yields the streams that get a frame of a chat, or those of the wallet `only`: at once, or when the gate has responded. */
    *streamsFor(chat: string, only: string | null): Generator<Stream> {
      for (const member of audience.membersOf(chat)) {
        if (only !== null && member.address !== only) continue
        if (!gate.isSettled(chat, member.address)) void askFor(member, chat)
        else if (member.missed.has(chat)) makeGood(member)
        // The gate may respond between two streams.
        for (const stream of member.streams)
          if (stream.holds > 0 || gate.mayRead(chat, member.address)) yield stream
          else miss(member, chat)
      }
    },

    /** Yields the streams that show typing. It is not stored, so nothing waits for the gate. */
    *streamsForTyping(chat: string, except: string): Generator<Stream> {
      for (const member of audience.membersOf(chat)) {
        if (member.address === except) continue
        if (!gate.isSettled(chat, member.address)) void gate.closedTo(member.address, [chat])
        else if (gate.mayRead(chat, member.address)) yield* member.streams
      }
    },

    /** Returns the chats of a member that the member may not read; a later `resync` makes up for what is missed in them. */
    async closedTo(member: Member, chats: Iterable<string>): Promise<string[]> {
      const closed = await gate.closedTo(member.address, [...chats])
      for (const chat of closed) miss(member, chat)
      return closed
    },

    /** Checks closed gates again from time to time. */
    async retrySometimes(): Promise<void> {
      if (performance.now() - retried < retryEvery) return
      retried = performance.now()
      await forEachLimited([...audience.missing()], atOnce, retry)
    },
  }
}
