// A stand-in for the relay of WalletConnect, and a wallet on another device: a process of its own, because
// the library keeps its state in globals.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

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

/** Has a wallet read a code and agree to all that it is asked. */
export async function connectWallet(relay: Relay, uri: string, key: `0x${string}`) {
  const app: ChildProcess = fork(path.join(import.meta.dirname, 'wallet-app.ts'), [uri, key], {
    execArgv: [],
  })
  const receive = relay.join((text) => app.connected && app.send(text))
  app.on('message', (text: string) => receive(text))
  return {
    async [Symbol.asyncDispose]() {
      if (app.exitCode !== null || app.signalCode !== null) return
      const ended = once(app, 'exit')
      app.kill()
      await ended
    },
  }
}
