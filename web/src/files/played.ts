// Videos and sounds play before all of them is here. Their element has an address that leads to the service worker alone
// (worker/media.ts), which asks this page for ranges: the page reads them with its token, and opens what is sealed.

import { newIdempotencyKey } from '@parley/sdk'
import { firstAtOnce, leastAtOnce, type Pace, paceBetween } from '@parley/sdk/pace.ts'
import { segmentSize } from '@parley/sdk/files/format.ts'
import { kindOf } from '@parley/sdk/files/kinds.ts'
import { onAccountChange } from '../service/session.ts'
import { isControlled, type MediaQuestion, onMediaQuestion } from '../service/worker.ts'
import { typeFor } from './kinds.ts'
import { FileProblem } from './load.ts'
import { loadPart, NoRanges } from './load-part.ts'
import type { ShownFile } from './shown.ts'

/** A range that the page reads at once has this number of bytes at most. */
const most = 1024 * 1024

/** This is false once a request for a range got the whole file. */
let hasRanges = true

interface Playing {
  file: ShownFile
  pace: Pace
  /** These end what is being read. */
  reading: Set<AbortController>
  isAsked: boolean
  end: (problem: FileProblem | undefined) => void
}

export interface Played {
  url: string
  /** Returns false while nothing of it was read by ranges: the worker is of another build, or ranges do not come through. */
  isAsked: () => boolean
  close: () => void
}

const all = new Map<string, Playing>()

/** Returns true for a file that an element can play by ranges here. A small one is read as a whole. */
export const playsByRanges = (file: ShownFile): boolean =>
  hasRanges &&
  isControlled() &&
  file.waiting === undefined &&
  file.id !== undefined &&
  file.size > firstAtOnce &&
  ['video', 'sound'].includes(kindOf(file))

/**
 * Returns an address at which an element plays a file until it is closed. `onEnd` is called with what is wrong when no more of it can
 * be read, and with nothing when the wallet is another one.
 */
export function openPlayed(file: ShownFile, onEnd: (problem: FileProblem | undefined) => void): Played {
  const id = newIdempotencyKey()
  const playing: Playing = {
    file,
    pace: paceBetween(leastAtOnce, most),
    reading: new Set(),
    isAsked: false,
    end: (problem) => {
      close()
      onEnd(problem)
    },
  }
  const close = () => {
    all.delete(id)
    for (const stop of playing.reading) stop.abort()
  }
  all.set(id, playing)
  return { url: `/media-of-page/${id}`, isAsked: () => playing.isAsked, close }
}

// Another wallet must not hear what this one plays.
onAccountChange(() => {
  for (const { end } of all.values()) end(undefined)
})

onMediaQuestion((question, port) => {
  const playing = all.get(question.id)
  if (playing) void answer(playing, question, port)
  else port.postMessage(undefined)
})

async function answer(playing: Playing, { start, end }: MediaQuestion, port: MessagePort): Promise<void> {
  const { file, pace, reading } = playing
  playing.isAsked = true
  const stop = new AbortController()
  reading.add(stop)
  // The element needs it no longer.
  port.addEventListener('message', () => stop.abort())
  port.start()
  try {
    const range = { start, end: endOf(start, start + pace.bytes, Math.min(end ?? Infinity, file.size)) }
    const began = performance.now()
    const bytes = await loadPart(file, range, stop.signal)
    pace.took(bytes.length, performance.now() - began)
    port.postMessage({ type: typeFor(file), size: file.size, bytes: bytes.buffer }, [bytes.buffer])
  } catch (error) {
    if (error instanceof NoRanges) hasRanges = playing.isAsked = false
    else if (error instanceof FileProblem) playing.end(error)
    port.postMessage(undefined)
  } finally {
    reading.delete(stop)
  }
}

/** Returns where a range ends that is no longer than the pace: where a segment does, so that the next one is read once. */
function endOf(start: number, byPace: number, wanted: number): number {
  if (byPace >= wanted) return wanted
  const whole = byPace - (byPace % segmentSize)
  return whole > start ? whole : byPace
}
