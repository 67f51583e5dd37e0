import { expect, test } from 'vitest'
import { channelOf } from '../src/keys/state/channel.ts'
import type { Keyring } from '../src/keys/state/keyring.ts'
import type { PeerKey } from '../src/keys/state/peer.ts'

const open = (on: boolean) => ({ state: 'open', on, signed: { key: 'M', sig: '' } }) as Keyring
const locked = (on: boolean) => ({ state: 'locked', on }) as Keyring
const rings: Record<string, Keyring> = {
  unknown: { state: 'unknown' },
  off: { state: 'off' },
  unavailable: { state: 'unavailable' },
  elsewhere: { state: 'elsewhere' },
  outdated: { state: 'outdated' },
  locked: locked(true),
  lockedOff: locked(false),
  open: open(true),
  openOff: open(false),
}
const known = { key: 'K', news: [] }
const peers: Record<string, PeerKey> = {}
for (const state of ['unknown', 'none', 'off', 'good', 'bad', 'unchecked'] as const)
  for (const pin of [undefined, known])
    for (const key of state === 'good' ? ['K', 'L'] : [''])
      peers[`${state}${key}${pin ? '+' : ''}`] = { state, key, known: pin }

const now = (ring: string, peer: string, more: { switchedOff?: boolean; wasSealed?: boolean } = {}) =>
  channelOf({ ring: rings[ring]!, peer: peers[peer]!, switchedOff: false, wasSealed: false, ...more })

test('where a key of the peer is known, or the conversation was encrypted, nothing is sent in the clear without a choice', () => {
  for (const ring of Object.keys(rings))
    for (const peer of Object.keys(peers))
      for (const wasSealed of [false, true])
        if (wasSealed || peers[peer]!.known)
          expect(now(ring, peer, { wasSealed }).kind, `${ring} ${peer}`).not.toBe('clear')
})

test('nothing is sent while the own keys are unknown, nor on a locked device', () => {
  for (const peer of Object.keys(peers)) {
    expect(now('unknown', peer)).toEqual({ kind: 'checking' })
    expect(now('locked', peer)).toEqual({ kind: 'held', why: 'locked' })
    expect(now('locked', peer, { switchedOff: true })).toEqual({ kind: 'held', why: 'locked' })
  }
  expect(now('open', 'unknown')).toEqual({ kind: 'checking' })
})

test('messages are encrypted only to the key that is known, or to the first one that is seen', () => {
  expect(now('open', 'goodK')).toEqual({ kind: 'sealed', key: 'K' })
  expect(now('open', 'goodK+')).toEqual({ kind: 'sealed', key: 'K' })
  expect(now('open', 'unknown+')).toEqual({ kind: 'sealed', key: 'K' })
  expect(now('open', 'goodL+')).toEqual({ kind: 'held', why: 'changed' })
  expect(now('open', 'none+')).toEqual({ kind: 'held', why: 'hidden' })
  expect(now('open', 'none', { wasSealed: true })).toEqual({ kind: 'held', why: 'hidden' })
  expect(now('open', 'off+')).toEqual({ kind: 'held', why: 'peer-off' })
  expect(now('open', 'off')).toEqual({ kind: 'clear' })
  expect(now('open', 'bad')).toEqual({ kind: 'held', why: 'bad' })
  for (const ring of Object.keys(rings))
    for (const peer of Object.keys(peers)) if (now(ring, peer).kind === 'sealed') expect(ring).toBe('open')
})

test('what the service alone vouches for is shown as such until it was compared, and what nobody checked is no key', () => {
  const peer = { state: 'good', key: 'K', isVouched: true, known } as const
  const channel = (one: PeerKey) =>
    channelOf({ ring: open(true), peer: one, switchedOff: false, wasSealed: false })
  expect(channel(peer)).toEqual({ kind: 'sealed', key: 'K', isVouched: true })
  expect(channel({ ...peer, known: { ...known, comparedWith: 'older' } })).toMatchObject({ isVouched: true })
  expect(channel({ ...peer, known: { ...known, comparedWith: 'M' } })).toEqual({ kind: 'sealed', key: 'K' })
  const unchecked = { ...peer, state: 'unchecked', isVouched: false } as const
  expect(channel(unchecked)).toEqual({ kind: 'sealed', key: 'K' })
  for (const one of [undefined, { ...known, key: 'L' }])
    expect(channel({ ...unchecked, known: one })).toEqual({ kind: 'held', why: 'unchecked' })
})

test('who has never turned encryption on, or has switched it off here, writes in the clear', () => {
  for (const peer of ['none', 'goodK', 'unknown', 'bad']) {
    expect(now('off', peer)).toEqual({ kind: 'clear' })
    for (const ring of ['openOff', 'lockedOff'])
      expect(now(ring, peer, { switchedOff: true })).toEqual({ kind: 'clear' })
  }
  expect(now('open', 'none')).toEqual({ kind: 'clear' })
  expect(now('openOff', 'goodK+', { switchedOff: true, wasSealed: true })).toEqual({ kind: 'clear' })
})

test('where the service says that encryption was switched off, and this browser does not know of it, nothing goes out in the clear', () => {
  for (const ring of ['openOff', 'lockedOff'])
    for (const peer of Object.keys(peers))
      for (const wasSealed of [false, true])
        expect(now(ring, peer, { wasSealed }), `${ring} ${peer}`).toEqual({ kind: 'held', why: 'claimed' })
})
