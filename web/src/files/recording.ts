// Records a voice note: in the form that the browser has, of which each other browser plays at least one.

import { toBase64 } from '@parley/sdk/bytes.ts'

const forms = [
  ['audio/ogg;codecs=opus', 'ogg'],
  ['audio/webm;codecs=opus', 'webm'],
  ['audio/mp4', 'm4a'],
] as const

export interface Recorded {
  file: File
  /** It takes this number of milliseconds. */
  duration: number
  /** This is how loud it is from its start to its end. */
  wave: string
}

export interface Recording {
  began: number
  /** These are the loudest values of each tenth of a second: 0 to 1. */
  levels: number[]
  stop: () => Promise<Recorded>
  cancel: () => void
}

/** A voice needs this number of bits a second. */
const bits = 32_000
const every = 100

/** Begins to record, once the person permits that. */
export async function record(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const [mimeType, ending] = forms.find(([type]) => MediaRecorder.isTypeSupported(type)) ?? forms[1]
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: bits })
  const parts: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
  const { measure, close } = meter(stream)
  const levels: number[] = []
  const timer = setInterval(() => levels.push(measure()), every)
  const began = performance.now()
  recorder.start(1000)
  const end = () => {
    clearInterval(timer)
    for (const track of stream.getTracks()) track.stop()
    close()
  }
  return {
    began,
    levels,
    cancel: () => {
      // It has ended otherwise.
      if (recorder.state === 'inactive') return
      recorder.stop()
      end()
    },
    stop: async () => {
      const duration = Math.round(performance.now() - began)
      const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }))
      recorder.stop()
      await stopped
      end()
      const file = new File(parts, `Voice note.${ending}`, { type: mimeType.split(';')[0]! })
      return { file, duration, wave: waveOf(levels) }
    },
  }
}

/** Measures how loud a stream is. */
function meter(stream: MediaStream) {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const values = new Uint8Array(analyser.fftSize)
  const measure = (): number => {
    analyser.getByteTimeDomainData(values)
    return values.reduce((most, value) => Math.max(most, Math.abs(value - 128)), 0) / 128
  }
  return { measure, close: () => void context.close() }
}

/** A wave has at most this number of values. */
const mostValues = 64

/** Returns a wave whose loudest value is the largest byte. */
function waveOf(levels: number[]): string {
  const count = Math.max(1, Math.min(mostValues, levels.length))
  const size = Math.max(1, levels.length) / count
  const values = Array.from({ length: count }, (_, i) =>
    Math.max(0, ...levels.slice(Math.floor(i * size), Math.max(Math.floor((i + 1) * size), i + 1))),
  )
  const most = Math.max(...values, 0.01)
  return toBase64(Uint8Array.from(values, (value) => Math.round((value / most) * 255)))
}
