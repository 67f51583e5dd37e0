// One sound plays at a time, also while its message is scrolled away.

import { showNotice } from '../state/notice.ts'
import { createStore } from '../state/store.ts'
import { holdFile, load, loadedUrl, setFailed } from './kept.ts'
import { openPlayed, type Played, playsByRanges } from './played.ts'
import type { ShownFile } from './shown.ts'

interface Playing {
  key: string
  file: ShownFile
  isOn: boolean
  /** These are seconds. */
  at: number
  /** It is undefined while it is not known. */
  length: number | undefined
}

export const player = createStore<Playing | undefined>(undefined)

const speeds = [1, 1.5, 2] as const
export const speed = createStore<(typeof speeds)[number]>(1)

let audio: HTMLAudioElement | undefined
let letGo: (() => void) | undefined
/** It is undefined where the whole file is here. */
let played: Played | undefined

function change(changed: Partial<Playing>): void {
  const now = player.get()
  if (now) player.set({ ...now, ...changed })
}

function element(): HTMLAudioElement {
  if (audio) return audio
  audio = new Audio()
  const made = audio
  const follow = () =>
    change({ at: made.currentTime, ...(Number.isFinite(made.duration) && { length: made.duration }) })
  made.addEventListener('timeupdate', follow)
  made.addEventListener('durationchange', follow)
  made.addEventListener('play', () => change({ isOn: true }))
  made.addEventListener('pause', () => change({ isOn: false }))
  made.addEventListener('ended', () => change({ isOn: false, at: 0 }))
  made.addEventListener('error', () => {
    const now = player.get()
    if (!now) return
    const isOfRanges = played !== undefined && !played.isAsked()
    stop()
    if (isOfRanges) void begin(now.file, false)
    else showNotice('Can’t play this sound. You can save it.')
  })
  return made
}

/** Plays a sound, or pauses it when it plays. */
export async function toggle(file: ShownFile): Promise<void> {
  const sound = element()
  if (player.get()?.key === file.key) return sound.paused ? play(sound) : sound.pause()
  stop()
  await begin(file, playsByRanges(file))
}

/** Plays a sound from its start, by ranges or as a whole. */
async function begin(file: ShownFile, isByRanges: boolean): Promise<void> {
  const sound = element()
  letGo = holdFile(file)
  setFailed(file, undefined)
  player.set({ key: file.key, file, isOn: true, at: 0, length: undefined })
  let url = loadedUrl(file)
  if (url === undefined && isByRanges) {
    played = openPlayed(file, (problem) => {
      stop()
      if (problem) setFailed(file, problem)
    })
    url = played.url
  }
  if (url === undefined) {
    const loaded = await load(file)
    if (player.get()?.key !== file.key) return
    if (loaded.state !== 'here') return player.set(undefined)
    url = loaded.url
  }
  sound.src = url
  await play(sound)
}

/** Ends what plays, and what is read of it. */
function stop(): void {
  player.set(undefined)
  audio?.pause()
  if (played) {
    audio?.removeAttribute('src')
    // It gives back what it has read.
    audio?.load()
  }
  played?.close()
  played = undefined
  letGo?.()
  letGo = undefined
}

async function play(sound: HTMLAudioElement): Promise<void> {
  sound.playbackRate = speed.get()
  // Its error says what is wrong; a pause right after it is none.
  await sound.play().catch(() => {})
}

/** Goes to a place of the sound that plays, in seconds. */
export function seek(at: number): void {
  element().currentTime = at
  change({ at })
}

export function nextSpeed(): void {
  speed.set(speeds[(speeds.indexOf(speed.get()) + 1) % speeds.length]!)
  if (audio) audio.playbackRate = speed.get()
}
