// A wallet on another device, made with the library that wallets use: it reads a code of WalletConnect and
// agrees to all that it is asked. Its connection to the relay is the channel to its parent process.

import { privateKeyToAccount } from 'viem/accounts'

class Connection {
  readyState = 1
  onopen?: () => void
  onclose?: () => void
  onmessage?: (event: { data: string }) => void
  constructor() {
    process.on('message', (text: string) => this.onmessage?.({ data: text }))
    queueMicrotask(() => this.onopen?.())
  }
  send = (text: string) => void process.send!(text)
  close = () => this.onclose?.()
  /** The library waits for pings where there is no page. */
  on() {}
}

// The library takes what it connects with when it is loaded.
Object.assign(globalThis, { WebSocket: Connection })
const { SignClient } = await import('@walletconnect/sign-client')
const [, , uri, key] = process.argv
process.on('disconnect', () => process.exit())
const account = privateKeyToAccount(key as `0x${string}`)
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
wallet.on('session_proposal', async ({ id, params }) => {
  const chains = params.optionalNamespaces['eip155']!.chains!
  await wallet.approve({
    id,
    namespaces: {
      eip155: {
        accounts: chains.map((chain) => `${chain}:${account.address}`),
        methods: ['personal_sign'],
        chains,
        events: [],
      },
    },
  })
})
wallet.on('session_request', async ({ id, topic, params }) => {
  const result = await account.signMessage({ message: { raw: params.request.params[0] } })
  await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result } })
})
await wallet.pair({ uri: uri! })
