// One sound plays at a time, also while its message is scrolled away.

import { showNotice } from '../state/notice.ts'
import { createStore } from '../state/store.ts'
import { holdFile, load } from './kept.ts'
import type { ShownFile } from './shown.ts'

interface Playing {
  key: string
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
    if (!player.get()) return
    player.set(undefined)
    showNotice('Can’t play this sound. You can save it.')
  })
  return made
}

/** Plays a sound, or pauses it when it plays. */
export async function toggle(file: ShownFile): Promise<void> {
  const sound = element()
  const now = player.get()
  if (now?.key === file.key) return sound.paused ? play(sound) : sound.pause()
  sound.pause()
  letGo?.()
  letGo = holdFile(file)
  player.set({ key: file.key, isOn: true, at: now?.key === file.key ? now.at : 0, length: undefined })
  const loaded = await load(file)
  if (player.get()?.key !== file.key) return
  if (loaded.state !== 'here') return player.set(undefined)
  sound.src = loaded.url
  await play(sound)
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
