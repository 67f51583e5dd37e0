// A stand-in for the relay of WalletConnect, and a wallet on another device, made with the library that
// wallets use.

import { privateKeyToAccount } from 'viem/accounts'
import { vi } from 'vitest'

interface Call {
  id: number
  method?: string
  params: Record<string, string> & { topics?: string[] }
}

type Send = (text: string) => void

interface Kept {
  topic: string
  message: string
  from: Send
}

/** Passes messages on to who listens to their topic, also to who comes later. */
export function createRelay() {
  const listeners = new Map<Send, Set<string>>()
  const kept: Kept[] = []
  let ids = 1
  const deliver = (to: Send, { topic, message }: Kept) =>
    to(
      JSON.stringify({
        id: ids++,
        jsonrpc: '2.0',
        method: 'irn_subscription',
        params: { id: topic, data: { topic, message, publishedAt: Date.now(), tag: 0 } },
      }),
    )
  const publish = (from: Send, topic: string, message: string) => {
    const item = { topic, message, from }
    kept.push(item)
    for (const [to, topics] of listeners) if (to !== from && topics.has(topic)) deliver(to, item)
  }
  const listen = (to: Send, topic: string) => {
    listeners.get(to)!.add(topic)
    for (const item of kept) if (item.topic === topic && item.from !== to) deliver(to, item)
  }
  const methods: Record<string, (from: Send, params: Call['params']) => void> = {
    irn_publish: (from, { topic, message }) => publish(from, topic!, message!),
    irn_subscribe: (from, { topic }) => listen(from, topic!),
    irn_batchSubscribe: (from, { topics }) => topics!.forEach((topic) => listen(from, topic)),
    wc_proposeSession: (from, { pairingTopic, sessionProposal }) => {
      listen(from, pairingTopic!)
      publish(from, pairingTopic!, sessionProposal!)
    },
    wc_approveSession: (from, params) => {
      listen(from, params.sessionTopic!)
      publish(from, params.sessionTopic!, params.sessionSettlementRequest!)
      publish(from, params.pairingTopic!, params.sessionProposalResponse!)
    },
  }
  return {
    /** All that it has been sent. */
    seen: [] as string[],
    /** Adds a connection. Answers what to do with what it sends. */
    join(send: Send): Send {
      listeners.set(send, new Set())
      return (text) => {
        this.seen.push(text)
        const { id, method, params } = JSON.parse(text) as Call
        if (!method) return
        send(JSON.stringify({ id, jsonrpc: '2.0', result: true }))
        methods[method]?.(send, params)
      }
    },
  }
}

type Relay = ReturnType<typeof createRelay>

/** The connection to the relay of the wallet that is being connected. */
let wire: Relay

class Connection {
  readyState = 1
  onopen?: () => void
  onclose?: () => void
  onmessage?: (event: { data: string }) => void
  send = wire.join((data) => queueMicrotask(() => this.onmessage?.({ data })))
  constructor() {
    queueMicrotask(() => this.onopen?.())
  }
  close = () => this.onclose?.()
  /** The library waits for pings where there is no page. */
  on() {}
}

/** The library takes what it connects with when it is loaded. */
async function load() {
  vi.stubGlobal('WebSocket', Connection)
  const { SignClient } = await import('@walletconnect/sign-client')
  vi.unstubAllGlobals()
  return SignClient
}

/** Has a wallet read a code and agree to all that it is asked. */
export async function connectWallet(relay: Relay, uri: string, key: `0x${string}`) {
  wire = relay
  const SignClient = await load()
  const account = privateKeyToAccount(key)
  const kept = new Map<string, unknown>()
  const wallet = await SignClient.init({
    projectId: 'a'.repeat(32),
    metadata: { name: 'Test', description: '', url: 'https://wallet.example', icons: [] },
    storage: {
      getKeys: async () => [...kept.keys()],
      getEntries: async <T>() => [...kept] as [string, T][],
      getItem: async <T>(name: string) => kept.get(name) as T | undefined,
      setItem: async (name, value) => void kept.set(name, value),
      removeItem: async (name) => void kept.delete(name),
    },
    telemetryEnabled: false,
    logger: 'silent',
  })
  // It would ask a server of WalletConnect about the page, and wait for seconds where there is no network.
  wallet.core.verify.resolve = async () => ({ origin: '' })
  wallet.on('session_proposal', async ({ id }) => {
    await wallet.approve({
      id,
      namespaces: {
        eip155: {
          accounts: [`eip155:1:${account.address}`],
          methods: ['personal_sign'],
          chains: ['eip155:1'],
          events: [],
        },
      },
    })
  })
  wallet.on('session_request', async ({ id, topic, params }) => {
    const result = await account.signMessage({ message: { raw: params.request.params[0] } })
    await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result } })
  })
  await wallet.pair({ uri })
  return {
    async [Symbol.asyncDispose]() {
      wallet.core.heartbeat.stop()
      await wallet.core.relayer.transportClose()
    },
  }
}
