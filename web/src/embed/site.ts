// The site around the frame, as far as the frame knows it: its origin, which the browser says, and one channel.

import type { Account, Asked, FromFrame, FromSite, Hello, Looks, WalletShown } from './protocol.ts'

interface Known {
  wallets: readonly WalletShown[]
  /** Whether the person sees the frame now. */
  isShown: boolean
}

export interface Site {
  readonly origin: string
  /** The host of the site, which the text names that a wallet signs. */
  readonly host: string
  readonly get: () => Known
  readonly subscribe: (listener: () => void) => () => void
  readonly connect: (wallet: string) => Promise<Account>
  readonly sign: (text: string) => Promise<string>
  readonly tell: (message: Exclude<FromFrame, Asked>) => void
}

/**
 * Waits for the script of the site. Only the page around the frame can be it, whatever other windows send, and only its first
 * message counts.
 */
export function meetSite(): Promise<{ site: Site; looks: Looks }> {
  return new Promise((resolve) => {
    const hear = ({ source, origin, data, ports }: MessageEvent<Hello | undefined>) => {
      const [port] = ports
      if (source !== parent || !port || data?.parley !== 'hello') return
      removeEventListener('message', hear)
      resolve({ site: siteBehind(port, origin), looks: data.looks })
    }
    addEventListener('message', hear)
  })
}

function siteBehind(port: MessagePort, origin: string): Site {
  let known: Known = { wallets: [], isShown: false }
  const listeners = new Set<() => void>()
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0
  const say = (message: FromFrame) => port.postMessage(message)
  const ask = async (asked: Asked): Promise<unknown> => {
    const number = (last += 1)
    const answer = Promise.withResolvers<unknown>()
    waiting.set(number, answer)
    say({ ...asked, number })
    return answer.promise
  }
  const learn = (news: Partial<Known>) => {
    known = { ...known, ...news }
    for (const listener of listeners) listener()
  }
  port.addEventListener('message', ({ data }: MessageEvent<FromSite>) => {
    if ('wallets' in data) learn({ wallets: data.wallets })
    else if ('shown' in data) learn({ isShown: data.shown })
    else {
      const { answer, value, refused } = data
      if (refused === undefined) waiting.get(answer)?.resolve(value)
      else waiting.get(answer)?.reject(new Error(refused))
      waiting.delete(answer)
    }
  })
  port.start()
  return {
    origin,
    host: new URL(origin).host,
    get: () => known,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    connect: async (wallet) => (await ask({ ask: 'connect', wallet })) as Account,
    sign: async (text) => String(await ask({ ask: 'sign', text })),
    tell: say,
  }
}
