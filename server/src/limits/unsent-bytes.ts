// Limits bytes of responses that wait for their readers, so that readers who do not read cannot fill the memory. A caller and a
// network address (for IPv6 the /48) may hold a part of what is still free, so that the first ones leave room for others, however
// many there are (dynamic thresholds, as switches have them).

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { heldBytes } from '../telemetry/metrics.ts'
import { add, placeOf, type Who } from './concurrency.ts'

const ceiling = 12 * 1024 * 1024
/** This is the bytes of a page as JSON, which doubles some texts (db/pages.ts). */
export const onePage = 256 * 1024
/** A caller that holds nothing may always have a page while it is free. */
const parts = { caller: 16, place: 8 }
/** Shorter responses are not counted: five hundred of them are 32 MiB. */
export const counted = 64 * 1024
/** A request waits for room for at most `patience` milliseconds, and checks again after each `pause`. */
const patience = 10_000
const pause = 100
/** At most this many pages that were read already wait for room: in all, and of a caller. */
const mostRead = { all: 16, caller: 4 }

export interface WaitingBytes {
  hasRoom: (who: Who) => boolean
  /** Waits for room; throws 503 when there is none in time. */
  room: (who: Who) => Promise<void>
  /** Does the same for a page that was read already; throws 503 when too many of them wait. */
  roomForRead: (who: Who) => Promise<void>
  /** Counts bytes that are about to be sent. The returned function releases them, once. */
  hold: (who: Who, bytes: number) => () => void
}

export function createWaitingBytes(): WaitingBytes {
  let total = 0
  const ofCaller = new Map<string, number>()
  const ofPlace = new Map<string, number>()
  let read = 0
  const readBy = new Map<string, number>()

  const count = (who: Who, bytes: number) => {
    total += bytes
    heldBytes.set(total)
    add(ofCaller, who.caller, bytes)
    add(ofPlace, placeOf(who), bytes)
  }
  const hasRoom = (who: Who) => {
    const free = ceiling - total
    const fits = (held = 0, part: number) => held + onePage <= (held === 0 ? free : free / part)
    return fits(ofCaller.get(who.caller), parts.caller) && fits(ofPlace.get(placeOf(who)), parts.place)
  }

  const room = async (who: Who) => {
    for (let waited = 0; !hasRoom(who); waited += pause) {
      if (waited >= patience) throw noRoom()
      await sleep(pause)
    }
  }

  return {
    hasRoom,
    room,
    async roomForRead(who) {
      if (read >= mostRead.all || (readBy.get(who.caller) ?? 0) >= mostRead.caller) throw noRoom()
      const note = (change: number) => {
        read += change
        add(readBy, who.caller, change)
      }
      note(1)
      try {
        await room(who)
      } finally {
        note(-1)
      }
    },
    hold(who, bytes) {
      let held = bytes < counted ? 0 : bytes
      count(who, held)
      return () => {
        count(who, -held)
        held = 0
      }
    },
  }
}

const noRoom = () =>
  new ApiError(
    'unavailable',
    'Too many large responses are still being downloaded. Finish reading yours, then try again.',
    { retryAfter: 5 },
  )
