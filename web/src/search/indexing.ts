// The search on this device at work (device.ts). While the page is idle, one tab at a time reads encrypted messages into an index
// (walk.ts). A hit is shown as the message is now: what is gone, or has another text, is not found.

import type { SearchFor } from '@parley/sdk/contract/search.ts'
import { keepOnly } from '../device-store/store.ts'
import { toBase64 } from '../keys/crypto/bytes.ts'
import type { KeyPair } from '../keys/crypto/scheme.ts'
import { keyring, onOtherKeys } from '../keys/state/keyring.ts'
import { cache } from '../service/api.ts'
import { currentAccount, onAccountChange } from '../service/session.ts'
import type { DeviceSearch, FoundMessage } from './found-message.ts'
import { deviceDisk } from './disk.ts'
import { findHere, queryOf } from './find.ts'
import { hitOf } from './hits.ts'
import { countOf } from './index-state.ts'
import { MessageIndex } from './message-index.ts'
import { onNoticed, takeEarly } from './noticed.ts'
import { isPaused, setPaused } from './pausing.ts'
import { type DeviceProgress, nothing, progress } from './progress.ts'
import { forgetPresent, serviceSource, whenIdle } from './service-source.ts'
import { type Step, Walk } from './walk.ts'

/** The index of a wallet whose keys are open. */
interface Session {
  me: string
  index: MessageIndex
  walk: Walk
  pairs: KeyPair[]
  last: Step
  hasNoRoom: boolean
  /** This many searches and people wait for it. */
  waiting: number
  isPaused: boolean
}

let session: Session | undefined
let wake = Promise.withResolvers<void>()

function wakeUp(): void {
  wake.resolve()
  wake = Promise.withResolvers()
}

/** Returns the index of the present wallet; undefined while its keys are not open. */
function present(): Session | undefined {
  const ring = keyring.get()
  const me = currentAccount()?.address
  if (ring.state !== 'open' || ring.address !== me) return (session = undefined)
  if (session?.me === me) return session
  const earlier = ring.pairs.filter((pair) => pair !== ring.pair)
  const pairs = new Map([...earlier, ring.pair].map((pair) => [toBase64(pair.raw), pair]))
  const index = new MessageIndex(deviceDisk(me), pairs)
  const source = serviceSource(me, ring.pairs, () => (session?.waiting ?? 0) > 0)
  const walk = new Walk(index, source, me, [...pairs.keys()])
  session = {
    me,
    index,
    walk,
    pairs: ring.pairs,
    last: 'more',
    hasNoRoom: false,
    waiting: 0,
    isPaused: isPaused(me),
  }
  for (const list of takeEarly()) walk.note(list)
  return session
}

function stateOf(one: Session | undefined): DeviceProgress {
  if (!one) return { ...nothing, state: keyring.get().state === 'locked' ? 'locked' : 'none' }
  const { index, walk, last, hasNoRoom } = one
  const count = countOf(index.state)
  const backTo = walk.backTo()
  const isRead = last === 'whole' && backTo === undefined
  const state = hasNoRoom || last === 'full' ? 'full' : isRead ? 'whole' : one.isPaused ? 'paused' : 'working'
  return { state: isRead && count === 0 ? 'none' : state, backTo, count, part: walk.part(), hasNoRoom }
}

const publish = (): void => progress.set(stateOf(session))

/** Does a step; other tabs wait meanwhile. */
async function step(one: Session): Promise<Step> {
  const work = async () => {
    if (session !== one) return 'waiting'
    const done = await one.walk.step()
    // The wallet has signed out meanwhile, maybe in another tab.
    if (currentAccount()?.address !== one.me) await keepOnly(currentAccount()?.address)
    return done
  }
  const { locks } = navigator as { locks?: LockManager }
  // Pages without HTTPS have no locks. There the second of two tabs changes nothing.
  const done = await (locks ? locks.request(`parley search ${one.me}`, work) : work())
  one.last = done
  one.hasNoRoom = false
  publish()
  return done
}

/** What is gone is forgotten also during a pause. */
const mayWork = ({ isPaused: paused, walk }: Session) =>
  (!paused || walk.hasChanges()) && document.visibilityState === 'visible' && navigator.onLine

/** After an error it is tried again after these milliseconds, or when something has changed. */
const patience = 30_000

async function run(): Promise<void> {
  for (;;) {
    const woken = wake.promise
    const one = present()
    publish()
    try {
      if (one && mayWork(one)) {
        await whenIdle()
        if ((await step(one)) === 'more') continue
      }
      await woken
    } catch (error) {
      await afterError(one!, error)
      await Promise.race([
        woken,
        ...(one!.hasNoRoom ? [] : [new Promise((resolve) => setTimeout(resolve, patience))]),
      ])
    }
  }
}

async function afterError(one: Session, error: unknown): Promise<void> {
  if (!(error instanceof DOMException)) return
  // What lies on the device does not open: it is made again.
  if (error.name === 'OperationError') {
    await deviceDisk(one.me)
      .empty()
      .catch(() => {})
    session = undefined
  } else one.hasNoRoom = error.name !== 'AbortError'
  publish()
}

let isStarted = false

/** Begins to read encrypted messages into the index, and goes on for as long as the page is open. */
export function startDeviceSearch(): void {
  if (isStarted) return
  isStarted = true
  const begin = () => {
    session = undefined
    wakeUp()
  }
  onOtherKeys(begin)
  onAccountChange(begin)
  onNoticed((change) => {
    forgetPresent((id, peer) => {
      if (change === 'missed') return true
      if ('emptied' in change) return change.emptied.includes(peer)
      if ('listed' in change) return false
      return id === ('gone' in change ? change.gone : change.edited.id)
    })
    session?.walk.note(change)
    wakeUp()
    return session !== undefined
  })
  cache.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryKey[0] === 'getInbox') wakeUp()
  })
  document.addEventListener('visibilitychange', wakeUp)
  addEventListener('online', wakeUp)
  void run()
}

function pause(isPausedNow: boolean): void {
  const one = present()
  if (!one) return
  one.isPaused = isPausedNow
  setPaused(one.me, isPausedNow)
  publish()
  wakeUp()
}

export const pauseDeviceSearch = (): void => pause(true)
export const resumeDeviceSearch = (): void => pause(false)

/** Works for somebody who waits. */
async function hastily(one: Session, work: () => Promise<unknown>): Promise<void> {
  one.waiting++
  try {
    await work()
  } catch {
    // Without a connection, what is here is searched.
  } finally {
    one.waiting--
  }
}

/** Walks further back now, as the person asks; resolves when a step is done. */
export async function searchFurther(): Promise<void> {
  startDeviceSearch()
  const one = present()
  if (one) await hastily(one, () => step(one))
}

/** A search waits at most this number of milliseconds for what is new. */
const shortWait = 1500
/** At most this many steps read what is new. */
const mostSteps = 5

async function catchUp(one: Session): Promise<void> {
  const reading = hastily(one, async () => {
    await one.index.refresh()
    for (let n = 0; n < mostSteps && navigator.onLine && one.walk.isBehind(); n++) await step(one)
  })
  await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, shortWait))])
}

/** A search returns this many hits when it does not say how many. */
const usual = 20

/** Finds encrypted messages of the wallet, newest first. */
export async function searchDevice(search: SearchFor): Promise<DeviceSearch> {
  startDeviceSearch()
  const one = present()
  const query = queryOf(search)
  const hits: FoundMessage[] = []
  if (one && query) {
    await catchUp(one)
    const { limit = usual } = search
    const found = findHere(one.index, search, query, one.me)
    while (hits.length < limit) {
      const some = []
      while (some.length < limit - hits.length) {
        const next = await found.next()
        if (next.done) break
        some.push(next.value)
      }
      if (some.length === 0) break
      const shown = await Promise.all(
        some.map((here) => hitOf(here, { me: one.me, pairs: one.pairs, query, walk: one.walk })),
      )
      hits.push(...shown.flatMap((hit) => hit ?? []))
    }
  }
  const isCurrent = session === one
  const { backTo, state } = stateOf(session)
  return { hits: isCurrent ? hits : [], backTo, state }
}
