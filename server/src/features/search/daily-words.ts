// A text of random words costs the index many times its bytes. So of what a wallet writes in a day, the index takes this many words
// at most: far more than a person or a busy bot writes. What is beyond is in all lists, but no search finds it.

import { LRUCache } from 'lru-cache'
import { day } from '../../lib/times.ts'

const mostWordsADay = 2_000_000

const used = new LRUCache<string, number>({ maxSize: 20_000, sizeCalculation: () => 1 })

export const dailyWords = {
  /** Counts words of a message; returns false where its author has no more on the day when it was sent. */
  take({ fromaddr, ms }: { fromaddr: string; ms: number }, words: number): boolean {
    const key = `${Math.floor(ms / day)} ${fromaddr}`
    const before = used.get(key) ?? 0
    if (before + words > mostWordsADay) return false
    used.set(key, before + words)
    return true
  },
}
