// The index of a device with messages that are made up, for a browser: `fill` makes it, `search` measures it.

import { deviceDisk } from '../src/search/disk.ts'
import type { NewDoc } from '../src/search/docs.ts'
import { findHere, queryOf } from '../src/search/find.ts'
import { MessageIndex } from '../src/search/message-index.ts'

const wallet = '0x1600a1aea67bc92961a7a98d09d9831ea8efbffc'
const usualHits = 20
const pageSize = 200

/** As often as in a language: the n-th word has a share of 1/n. */
function someWord(random: () => number, words: number): string {
  const n = Math.floor(words ** random())
  return `${['ka', 'ro', 'min', 'tel', 'su', 'ver', 'lo', 'da', 'gri', 'ne'][n % 10]}${n.toString(36)}`
}

const newPair = async () => {
  const pair = await crypto.subtle.generateKey('X25519', true, ['deriveBits'])
  return { ...pair, raw: new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)) }
}

let pairs: ConstructorParameters<typeof MessageIndex>[1]

/** Adds this many messages of ten words in 60 conversations, a page at a time; returns the milliseconds that it took. */
export async function fill(count: number): Promise<number> {
  pairs = new Map([['one', await newPair()]])
  const index = new MessageIndex(deviceDisk(wallet), pairs)
  await index.refresh()
  let seed = 1
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const start = performance.now()
  for (let page = 0; page < count / pageSize; page++) {
    const docs = Array.from({ length: pageSize }, (_, n): NewDoc => {
      const id = (page * pageSize + n + 1) * 64
      const text = Array.from({ length: 10 }, () => someWord(random, 60_000)).join(' ')
      const peer = `0x${String(page % 60).padStart(40, '0')}`
      const time = 1_700_000_000_000 + id * 1000
      const flags = {
        isMine: n % 2 === 0,
        hasFile: false,
        hasLink: false,
        hasPicture: false,
        nft: '',
        revision: 0,
      }
      return { id, time, peer, text, names: [], ...flags }
    })
    if (!(await index.write(docs, [], () => {}))) throw new Error('Another tab was first')
  }
  return performance.now() - start
}

/** Returns the milliseconds of the first search after a reload, and of the next ones, and how many they find. */
export async function search(queries: string[]): Promise<{ load: number; each: number[]; found: number[] }> {
  const index = new MessageIndex(deviceDisk(wallet), pairs)
  const start = performance.now()
  await index.refresh()
  const load = performance.now() - start
  const each: number[] = []
  const found: number[] = []
  for (const q of queries) {
    const begin = performance.now()
    let hits = 0
    for await (const _hit of findHere(index, { q }, queryOf({ q })!, wallet)) if (++hits >= usualHits) break
    each.push(performance.now() - begin)
    found.push(hits)
  }
  return { load, each, found }
}
