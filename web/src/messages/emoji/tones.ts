// Skin tones, and which emoji were used last. This browser stores both.

import { createStore, useStore } from '../../state/store.ts'

/** These follow an emoji; the first one is none. */
export const tones = ['', '🏻', '🏼', '🏽', '🏾', '🏿'] as const
export const toneWords = ['default', 'light', 'medium-light', 'medium', 'medium-dark', 'dark'] as const

/** Returns an emoji that has tones in one of them. */
export const withTone = (value: string, tone: string): string =>
  tone ? value.replace(/(\p{Emoji_Modifier_Base})\u{fe0f}?/gu, `$1${tone}`) : value

const toneEntry = 'parley.emoji-tone'
const usedEntry = 'parley.emoji-used'
/** This number of emoji is remembered. */
const most = 8

const tone = createStore(tones.find((one) => one === localStorage.getItem(toneEntry)) ?? '')
export const useTone = (): string => useStore(tone)

export function chooseTone(next: (typeof tones)[number]): void {
  localStorage.setItem(toneEntry, next)
  tone.set(next)
}

const used = createStore<readonly string[]>(localStorage.getItem(usedEntry)?.split(' ') ?? [])
/** Returns the emoji that were used last, the latest first. */
export const useUsed = (): readonly string[] => useStore(used)
export const lastUsed = (): string => used.get()[0] ?? '👍'

export function remember(value: string): void {
  const next = [value, ...used.get().filter((one) => one !== value)].slice(0, most)
  localStorage.setItem(usedEntry, next.join(' '))
  used.set(next)
}
