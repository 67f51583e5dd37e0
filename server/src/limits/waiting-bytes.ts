// Bytes of answers that wait for their readers, so that readers who do not read cannot fill the
// memory. All answers together, those of a caller and those of a network address have a ceiling.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Who } from './turns.ts'

const MiB = 1024 * 1024
const ceilings = { total: 64 * MiB, network: 16 * MiB, caller: 8 * MiB }
/** Shorter answers are not counted: a thousand of them are 64 MiB. */
const counted = 64 * 1024

export interface WaitingBytes {
  /**
   * Counts bytes that are about to be sent, and throws 503 where there is no room. The answer
   * releases them.
   */
  hold: (who: Who, bytes: number) => () => void
  /** Waits for room for more; throws when there is none within ten seconds. */
  room: (who: Who) => Promise<void>
}

export function createWaitingBytes(): WaitingBytes {
  let total = 0
  const ofCaller = new Map<string, number>()
  const ofNetwork = new Map<string, number>()

  const count = ({ caller, network }: Who, bytes: number) => {
    total += bytes
    add(ofCaller, caller, bytes)
    add(ofNetwork, network, bytes)
  }
  const hasRoom = ({ caller, network }: Who) =>
    total < ceilings.total &&
    (ofNetwork.get(network) ?? 0) < ceilings.network &&
    (ofCaller.get(caller) ?? 0) < ceilings.caller

  return {
    hold(who, bytes) {
      if (bytes < counted) return () => {}
      if (!hasRoom(who)) throw noRoom()
      count(who, bytes)
      let held = bytes
      return () => {
        count(who, -held)
        held = 0
      }
    },
    async room(who) {
      for (let i = 0; !hasRoom(who); i++) {
        if (i === 200) throw noRoom()
        await sleep(50)
      }
    },
  }
}

const noRoom = () =>
  new ApiError(
    'unavailable',
    'Too many long answers wait for readers. Read those you asked for, then try again.',
    {
      retryAfter: 5,
    },
  )

function add(sums: Map<string, number>, key: string, bytes: number): void {
  const sum = (sums.get(key) ?? 0) + bytes
  if (sum === 0) sums.delete(key)
  else sums.set(key, sum)
}
