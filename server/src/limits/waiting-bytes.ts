// Bytes of answers that wait for their readers, so that readers who do not read cannot fill the
// memory. A caller and a network address (of IPv6 the /48) may hold a part of what is still free, so
// that the first ones leave room for others, however many there are (dynamic thresholds, as switches
// have them).

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { heldBytes } from '../telemetry/metrics.ts'
import { add, type Who } from './at-once.ts'
import { placeOnNet } from './network.ts'

const ceiling = 12 * 1024 * 1024
/** Bytes of a page as JSON, which doubles some texts (db/pages.ts). */
export const onePage = 256 * 1024
/** Who holds nothing may always have a page while it is free. */
const parts = { caller: 16, place: 8 }
/** Shorter answers are not counted: five hundred of them are 32 MiB. */
const counted = 64 * 1024
/** Milliseconds for which a request waits for room, and between two looks. */
const patience = 10_000
const pause = 100

export interface WaitingBytes {
  hasRoom: (who: Who) => boolean
  /** Waits for room; throws 503 when there is none in time. */
  room: (who: Who) => Promise<void>
  /** Counts bytes that are about to be sent, which the answer releases, once. */
  hold: (who: Who, bytes: number) => () => void
}

export function createWaitingBytes(): WaitingBytes {
  let total = 0
  const ofCaller = new Map<string, number>()
  const ofPlace = new Map<string, number>()

  const count = ({ caller, network }: Who, bytes: number) => {
    total += bytes
    heldBytes.set(total)
    add(ofCaller, caller, bytes)
    add(ofPlace, placeOnNet(network), bytes)
  }
  const hasRoom = ({ caller, network }: Who) => {
    const free = ceiling - total
    const fits = (held = 0, part: number) => held + onePage <= (held === 0 ? free : free / part)
    return fits(ofCaller.get(caller), parts.caller) && fits(ofPlace.get(placeOnNet(network)), parts.place)
  }

  return {
    hasRoom,
    async room(who) {
      for (let waited = 0; !hasRoom(who); waited += pause) {
        if (waited >= patience) throw noRoom()
        await sleep(pause)
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

export const noRoom = () =>
  new ApiError(
    'unavailable',
    'Too many long answers wait for readers. Read those you asked for, then try again.',
    { retryAfter: 5 },
  )
