// This TCP (or unix socket) proxy causes the faults of networks:
//
//   delay      bytes arrive late, in both directions
//   stall      nothing arrives any more, without an error; afterwards everything arrives
//   reset      every connection is reset, and so is each new one
//   half-open  the far side is gone, and the near side never learns of it, not even afterwards

import { connect, createServer, type ListenOptions, type NetConnectOpts, type Socket } from 'node:net'
import { once } from 'node:events'

export type Fault = 'none' | 'delay' | 'stall' | 'reset' | 'half-open'

interface Pair {
  near: Socket
  far: Socket
  /** Half-open: what the near side sends is dropped, and it receives nothing. */
  dead: boolean
}

export interface Proxy extends AsyncDisposable {
  /** The URL at which it listens; empty for a unix socket. */
  url: string
  /** Begins a fault, or ends it with `none`. `milliseconds` is the length of a delay. */
  set(fault: Fault, milliseconds?: number): void
}

/** Listens, and connects each client to `target`. */
export async function startProxy(listen: ListenOptions, target: NetConnectOpts): Promise<Proxy> {
  const pairs = new Set<Pair>()
  let fault: Fault = 'none'
  let delay = 0

  const server = createServer((near) => {
    if (fault === 'reset') return tearDown(near)
    const pair: Pair = { near, far: connect(target), dead: false }
    pairs.add(pair)
    follow(pair, near, pair.far)
    follow(pair, pair.far, near)
    if (fault === 'stall') hold(pair)
    if (fault === 'half-open') abandon(pair)
  })

  function follow(pair: Pair, from: Socket, to: Socket): void {
    const late: { data: Buffer; due: number }[] = []
    const send = () => {
      const now = performance.now()
      while (late[0] && late[0].due <= now) {
        const { data } = late.shift()!
        if (!pair.dead && !to.destroyed) to.write(data)
      }
      if (late[0]) setTimeout(send, late[0].due - now + 1)
    }
    from.on('data', (data: Buffer) => {
      late.push({ data, due: performance.now() + (fault === 'delay' ? delay : 0) })
      if (late.length === 1) send()
    })
    from.on('error', () => {})
    from.on('close', () => {
      if (pair.near.destroyed) pairs.delete(pair)
      if (!pair.dead) to.destroy()
    })
  }

  server.listen(listen)
  await once(server, 'listening')
  const address = server.address()
  return {
    url: typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : '',
    set(wanted, milliseconds = 0) {
      fault = wanted
      delay = milliseconds
      for (const pair of pairs) {
        if (fault === 'reset') [pair.near, pair.far].forEach(tearDown)
        else if (fault === 'stall') hold(pair)
        else if (fault === 'half-open') abandon(pair)
        else if (!pair.dead) [pair.near, pair.far].forEach((socket) => socket.resume())
      }
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const { near, far } of pairs) [near, far].forEach((socket) => socket.destroy())
      await closed
    },
  }
}

const hold = ({ near, far }: Pair) => [near, far].forEach((socket) => socket.pause())

function abandon(pair: Pair): void {
  pair.dead = true
  pair.near.resume()
  pair.far.destroy()
}

/** Unix sockets have no reset, only an end. */
function tearDown(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
  else socket.resetAndDestroy()
}
