// These functions measure how long others wait while one wallet requests one thing as often as its limits allow, 24 times at
// once.
//
// The limits of the service would count over all endpoints: a wallet that has used up its requests at one endpoint would make no
// load at the next one. So the limits are counted here for each endpoint, and the service has higher ones (`withoutCounting`).

import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../server/src/config/settings.ts'
import { limitOf } from '../../server/src/limits/limits.ts'
import { type Answer, openCaller } from './callers.ts'
import { openPool } from '../service/database.ts'
import { type HeavyCall, heavyCalls } from './heavy-calls.ts'
import { fillHeavily } from './heavy-wallet.ts'
import { findNoLoad, hasEnded, isRefused } from './noisy-answers.ts'
import { noisyPicture } from './noisy-picture.ts'
import { memory } from '../service/processes.ts'

const {
  readLimit,
  pictureReadLimit,
  searchLimit,
  writeLimit,
  accountLimit,
  staticLimit,
  publicCountLimit,
  publicReadLimit,
  bytesLimit,
} = readConfig({})
const limits = {
  read: readLimit,
  write: writeLimit,
  account: accountLimit,
  static: staticLimit,
  'public-count': publicCountLimit,
  'public-read': publicReadLimit,
  picture: pictureReadLimit,
  search: searchLimit,
}

const parallel = 24
/** The maximum memory of the service: 400 MB, in MiB. */
export const mostMemory = 400e6 / 2 ** 20
/** The number of event streams of a wallet at once. */
const streams = 20

/**
 * The number of responses to others that is enough, of requests that began during the load, and the maximum milliseconds to wait
 * for them.
 */
const fewest = 6
const longest = 5000

export interface Place {
  url: string
  jwtSecret: string
  pid: number
}

type Got = Pick<Suffered, 'answers' | 'largest'>

/** The times of others, and the responses that the wallet got. */
export interface Suffered {
  /** Milliseconds of each response to others, sorted. */
  took: number[]
  /** The responses to others that were no success. */
  failed: string[]
  /** The highest resident memory of the service, in MiB. */
  most: number
  /** The number of responses to the wallet by status, and the bytes of the largest one that was a success. */
  answers: Record<number, number>
  largest: number
  /** What is wrong with the load, if it was none. */
  noLoad: string | undefined
}

/** Returns the value below which 99 of 100 lie. */
export const p99 = (took: readonly number[]): number => took.at(-Math.ceil(took.length / 100)) ?? Number.NaN

/** Calls an endpoint as a wallet until it is over. Returns what the wallet got. */
async function load(place: Place, wallet: string, call: HeavyCall, over: (got: Got) => Promise<void>) {
  const { endpoint, paths, body } = call
  const got: Got = { answers: {}, largest: 0 }
  const caller = await openCaller(place, wallet, '127.0.0.2')
  const { burst, perSecond } = limits[limitOf(endpoint)]
  const began = performance.now()
  let [requests, bytes] = [0, 0]
  const seconds = () => (performance.now() - began) / 1000
  const ending = new AbortController()
  const mayAsk = () =>
    requests < burst + perSecond * seconds() &&
    bytes / 1024 < bytesLimit.burst + bytesLimit.perSecond * seconds()
  const ask = async () => {
    while (!ending.signal.aborted) {
      if (!mayAsk()) {
        await sleep(10)
        continue
      }
      const answer: Answer = await caller.call(endpoint.method, paths[requests++ % paths.length]!, body)
      bytes += answer.bytes
      got.answers[answer.status] = (got.answers[answer.status] ?? 0) + 1
      if (answer.status < 300) got.largest = Math.max(got.largest, answer.bytes)
      else await sleep(20)
    }
  }
  if (endpoint.produces === 'text/event-stream') {
    const open = Array.from({ length: streams }, () => caller.askAndWait(paths[0]!).resume())
    await over(got)
    for (const stream of open) stream.destroy()
    return got
  }
  const asking = Promise.all(Array.from({ length: parallel }, ask))
  await over(got)
  ending.abort()
  // This closes the connections, since reading whole responses would take a minute.
  caller.close()
  await asking
  // What is still in progress would be part of the next load: this request has its turn after it.
  const next = await openCaller(place, wallet, '127.0.0.2')
  await next.get('/v1/sanctions')
  next.close()
  return got
}

/** Waits for a condition, for some milliseconds at most. */
async function until(isMet: () => boolean, most: number): Promise<void> {
  const end = performance.now() + most
  while (!isMet() && performance.now() < end) await sleep(5)
}

/** Starts others, who write to each other and read their inboxes until they are stopped. */
async function startOthers(place: Place, addresses: string[], pause = 20) {
  const callers = await Promise.all(
    addresses.map((address, n) => openCaller(place, address, `127.0.0.${3 + n}`)),
  )
  const stopping = new AbortController()
  const nothing = (): Suffered => ({
    took: [],
    failed: [],
    most: 0,
    answers: {},
    largest: 0,
    noLoad: undefined,
  })
  let current = nothing()
  /** The responses to requests that began since `current` is counted. */
  let begun = 0
  const living = Promise.all(
    callers.map(async ({ address, get, post }) => {
      while (!stopping.signal.aborted) {
        for (const ask of [
          () => post('/v1/create_chatitem', { fromaddr: address, toaddr: addresses[0]!, message: 'gm' }),
          () => get(`/v1/get_inbox/${address}`),
        ]) {
          const beginning = current
          const answer = await ask()
          current.took.push(answer.took)
          if (beginning === current) begun++
          if (answer.status !== 200) current.failed.push(`${answer.status} ${answer.text}`)
        }
        current.most = Math.max(current.most, memory(place.pid) || 0)
        await sleep(pause)
      }
    }),
  )
  const since = (): Suffered => {
    const past = current
    current = nothing()
    begun = 0
    return { ...past, took: past.took.toSorted((one, other) => one - other) }
  }
  return {
    /** Measures others while a wallet calls an endpoint. */
    async besides(wallet: string, call: HeavyCall, milliseconds: number): Promise<Suffered> {
      since()
      const isStream = call.endpoint.produces === 'text/event-stream'
      const got = await load(place, wallet, call, async (soFar) => {
        await sleep(milliseconds)
        // On a busy machine they need longer for some responses.
        await until(() => begun >= fewest, longest)
        // Some responses are long. The others arrive within that time.
        await until(() => isStream || hasEnded(soFar), 1000)
        // What is refused may have been done by a call that is still in progress.
        await until(() => !isRefused(call.name, soFar), longest)
      })
      return { ...since(), ...got, noLoad: findNoLoad(call.name, call.endpoint.method, got) }
    },
    async stop(): Promise<void> {
      stopping.abort()
      await living
      for (const { close } of callers) close()
    },
  }
}

/** Stores the largest picture of a wallet. */
async function sendPicture(place: Place, wallet: string): Promise<void> {
  const caller = await openCaller(place, wallet, '127.0.0.2')
  const base64data = noisyPicture(820).toString('base64')
  const store = () => caller.post('/v1/image', { addr: wallet, base64data })
  let { status, text } = await store()
  // A busy machine may not decode it in time.
  for (let tries = 1; status === 400 && tries < 5; tries++) ({ status, text } = await store())
  caller.close()
  if (status !== 200) throw new Error(`The picture was answered with ${status}: ${text}`)
}

/**
 * Calls each endpoint of the contract for some milliseconds, as the first of the wallets, which has the most of everything that
 * the limits allow; the second one is its peer, the rest are the others. Yields the times of others, by the name of the endpoint.
 * Where they suffer by a reading endpoint it is called once more, and that counts: the machine may have been busy with something
 * else. What writes or deletes is not the same the second time.
 */
export async function* callEach(
  place: Place,
  databaseUrl: string,
  [wallet, peer, ...addresses]: string[],
  milliseconds: number,
  suffers: (suffered: Suffered) => boolean = () => false,
): AsyncGenerator<[string, Suffered]> {
  {
    await using db = await openPool(databaseUrl, 1)
    await fillHeavily(db, wallet!, peer!)
  }
  await sendPicture(place, wallet!)
  const others = await startOthers(place, addresses)
  try {
    // The pause lets the disk read once what was filled.
    await sleep(2000)
    for (const call of heavyCalls({ wallet: wallet!, peer: peer! })) {
      const first = await others.besides(wallet!, call, milliseconds)
      const again = call.endpoint.method === 'GET' && suffers(first)
      const last = again ? await others.besides(wallet!, call, milliseconds) : first
      yield [call.name, { ...last, most: Math.max(first.most, last.most), noLoad: first.noLoad }]
    }
  } finally {
    await others.stop()
  }
}
