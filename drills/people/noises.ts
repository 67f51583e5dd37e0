// These are the actions of one hostile wallet within its limits. Each noise first stores what it needs, then makes the service
// work for as long as it may. Refusals are what the limits are for: they are counted.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Caller } from '../../testing/cases/callers.ts'
import { noisyPicture } from '../../testing/cases/noisy-picture.ts'

export interface Noise {
  name: string
  /** Stores about `count` things; returns what was stored. */
  prepare: (caller: Caller, count: number) => Promise<string>
  /** Works until the time is over. */
  work: (caller: Caller, tools: Tools) => Promise<void>
}

interface Tools {
  isOver: () => boolean
  /** Counts an answer by its status. */
  count: (answer: Answer) => void
  /** Another wallet of the same person. */
  another: (name: string) => Promise<Caller>
}

/** This text takes twice its bytes as JSON. */
const longText = '"'.repeat(64 * 1024)
const longField = 'x'.repeat(32 * 1024)
const parallel = 24
const community = 'noise'

/** Works in parallel, and waits a little after a refusal, as an attacker would who wants the most work done. */
const inParallel = (many: number, { isOver, count }: Tools, ask: () => Promise<Answer>) =>
  Promise.all(
    Array.from({ length: many }, async () => {
      while (!isOver()) {
        const answer = await ask()
        count(answer)
        if (answer.status !== 200) await sleep(100)
      }
    }),
  )

/** Makes `count` requests, and retries those that were refused for a moment. */
async function storeAll(count: number, store: (i: number) => Promise<Answer>): Promise<string> {
  let [stored, next] = [0, 0]
  let refusal = ''
  const one = async (): Promise<void> => {
    while (next < count) {
      const i = next++
      for (let tries = 0; ; tries++) {
        const { status, text, retryAfter } = await store(i)
        if (status === 200) stored++
        else if ([429, 503].includes(status) && retryAfter <= 5 && tries < 30) {
          await sleep(250)
          continue
        } else {
          refusal = `; then ${status} ${text.slice(text.indexOf('"detail"'), 400)}`
          next = count
        }
        break
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
  return `${stored} of ${count} stored${refusal}`
}

const note = ({ address, post }: Caller, toaddr = address, message = longText) =>
  post('/v1/create_chatitem', {
    fromaddr: address,
    toaddr,
    message,
    ...(toaddr === address && { encrypted_sym_x_key: longField, x_access_conditions: longField }),
  })

const postLong = ({ address, post }: Caller) =>
  post('/v1/create_groupchatitem', { fromaddr: address, nftaddr: community, message: longText })

const landingPages: Noise = {
  name: `${parallel} landing pages of long posts at once`,
  async prepare(caller, count) {
    await caller.post('/v1/create_community', { community })
    return storeAll(Math.min(count, 100), () => postLong(caller))
  },
  work: async ({ address, get }, tools) =>
    void (await inParallel(parallel, tools, () => get(`/v1/community/${community}/${address}`))),
}

const lists: Noise = {
  name: `${parallel} whole lists, long pages and exports at once`,
  prepare: (caller, count) => storeAll(count, () => note(caller)),
  async work({ address, get }, tools) {
    const paths = [
      `/v1/getall_chatitems/${address}`,
      `/v1/getall_chatitems/${address}/${address}?limit=1000`,
      `/v1/export/${address}`,
    ]
    let n = 0
    await inParallel(parallel, tools, () => get(paths[n++ % paths.length]!))
  },
}

const inboxes: Noise = {
  name: `${parallel} inboxes of many conversations at once`,
  prepare: (caller, count) =>
    storeAll(count * 2, (i) => note(caller, `0x${i.toString(16).padStart(40, '0')}`)),
  work: async ({ address, get }, tools) =>
    void (await inParallel(parallel, tools, () => get(`/v1/get_inbox/${address}`))),
}

const slowReaders: Noise = {
  name: '18 readers of whole lists who do not read',
  prepare: (caller, count) => storeAll(count, () => note(caller)),
  async work({ address, askAndWait }, { isOver }) {
    const path = `/v1/getall_chatitems/${address}/${address}?limit=1000`
    const open = () => askAndWait(path)
    const sockets = Array.from({ length: 18 }, open)
    for (; !isOver(); await sleep(500))
      for (const [i, socket] of sockets.entries()) if (socket.destroyed) sockets[i] = open()
    for (const socket of sockets) socket.destroy()
  },
}

const streams: Noise = {
  name: '64 event streams and a poster of long messages',
  prepare: async ({ address, post }) => {
    await post('/v1/create_community', { community })
    const { status } = await post('/v1/create_bookmark', { walletaddr: address, nftaddr: community })
    return `joined: ${status}`
  },
  async work(caller, tools) {
    const other = await tools.another('listener')
    await other.post('/v1/create_bookmark', { walletaddr: other.address, nftaddr: community })
    const sockets = [caller, other].flatMap((each) =>
      Array.from({ length: 32 }, () => each.askAndWait('/v1/events').resume()),
    )
    await sleep(200)
    await inParallel(8, tools, () => postLong(caller))
    for (const socket of sockets) socket.destroy()
  },
}

const pictures: Noise = {
  name: '8 uploads of pictures at once',
  prepare: async () => 'nothing to store',
  async work({ address, post }, tools) {
    const base64data = noisyPicture(820).toString('base64')
    const body = Buffer.from(JSON.stringify({ addr: address, base64data }))
    await inParallel(8, tools, () => post('/v1/image', body))
  },
}

export const noises: Noise[] = [landingPages, lists, inboxes, slowReaders, streams, pictures]
