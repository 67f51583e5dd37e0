// The knowledge of a wallet from its stream alone equals what it could read, after any history and any number of reconnections.

import type { ChatItem, GroupChatItem, ServiceEvent } from '@parley/sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newWallet, type Service, useService } from '../../../../testing/service/service.ts'

const wallet = fc.nat({ max: 2 })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('send' as const), by: wallet, to: wallet }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('post' as const), by: wallet }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('mark' as const), which: fc.nat(), read: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), by: wallet, to: wallet }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join' as const), by: wallet }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), by: wallet }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('break' as const), by: wallet }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('resume' as const), by: wallet }) },
)

/**
 * A reader of the log says that something may be missing only where a transaction that ran when the reading began runs for
 * longer than these milliseconds; the first stream waits for them. On a busy machine even a short transaction may.
 */
const longest = 400
let slowest = 0

/**
 * Makes a wallet that knows only what its stream has delivered, over any number of connections to either service. Where the
 * stream says that something may be missing, it reads the messages again by `list`, as every client does.
 */
function createWatcher(services: Service[], address: string, list: () => Promise<ChatItem[]>) {
  const messages = new Map<number, ChatItem>()
  const posts = new Map<number, GroupChatItem>()
  const order: { id: number; conversation: string }[] = []
  const numbers = new Set<string>()
  let isBehind = false
  let resyncs = 0
  let lastEventId = '0'
  let stream: Awaited<ReturnType<typeof listenTo>> | undefined
  let turn = 0

  const conversationOf = ({ fromaddr, toaddr }: { fromaddr: string; toaddr: string }) =>
    [fromaddr, toaddr].toSorted().join()

  /** What comes before there is a position has no number to know it by when it comes again. */
  function arrived(id: number, conversation: string): void {
    if (order.every((item) => item.id !== id)) order.push({ id, conversation })
  }

  function apply(event: ServiceEvent): void {
    if (event.type === 'resync') {
      isBehind = true
      resyncs++
    } else if (event.type === 'direct-message') {
      messages.set(event.item.id, event.item)
      arrived(event.item.id, conversationOf(event.item))
    } else if (event.type === 'group-message') {
      posts.set(event.item.id, event.item)
      arrived(event.item.id, event.item.nftaddr)
    } else if (event.type === 'read' && messages.has(event.id)) messages.get(event.id)!.read = event.read
    else if (event.type === 'deleted') messages.delete(event.id)
    else if (event.type === 'conversation-deleted')
      for (const [id, item] of messages)
        if (conversationOf(item) === conversationOf(event)) messages.delete(id)
  }

  function applyAll(): void {
    for (const { id, event } of stream?.received.splice(0) ?? []) {
      const number = id?.split('.')[1]
      if (number !== undefined && numbers.has(number)) continue
      if (number !== undefined) numbers.add(number)
      apply(event)
    }
    lastEventId = stream?.state.lastId ?? lastEventId
  }

  return {
    messages,
    posts,
    order,
    applyAll,
    get resyncs() {
      return resyncs
    },
    async resume() {
      const begun = performance.now()
      stream ??= await listenTo(services[turn++ % services.length]!, address, { lastEventId })
      slowest = Math.max(slowest, performance.now() - begun)
    },
    async readAgain() {
      if (!isBehind) return
      isBehind = false
      const items = await list()
      messages.clear()
      for (const item of items) messages.set(item.id, item)
    },
    async breakOff() {
      applyAll()
      await stream?.[Symbol.asyncDispose]()
      stream = undefined
    },
  }
}

const one = useService({ tickEvery: 200 })
const other = useService({ beside: one, tickEvery: 200 })

test('after any history, step by step or all at once, a wallet that only listens knows everything', async () => {
  const services = [one, other]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.boolean(), async (steps, atOnce) => {
      const wallets = [newWallet(), newWallet(), newWallet()]
      const clients = await Promise.all(wallets.map((address, i) => services[i % 2]!.as(address)))
      const watchers = wallets.map((address, i) =>
        createWatcher(services, address, () => clients[i]!.listDirectMessages({ address })),
      )
      const chat = newWallet()
      const sent: ChatItem[] = []
      const gone = () => undefined
      // This stores for each wallet whether it is in the chat, and what was posted since it joined the last time.
      const joined = wallets.map(() => false)
      const due: number[][] = wallets.map(() => [])

      const run = async (s: (typeof steps)[number]) => {
        if (s.do === 'send') {
          const body = { fromaddr: wallets[s.by]!, toaddr: wallets[s.to]!, message: 'm' }
          sent.push(...(await clients[s.by]!.sendDirectMessage({ body })))
        } else if (s.do === 'post') {
          const body = { fromaddr: wallets[s.by]!, nftaddr: chat, message: 'p' }
          const [item] = await clients[s.by]!.postGroupMessage({ body })
          for (const [i, is] of joined.entries()) if (is) due[i]!.push(item!.id)
        } else if (s.do === 'join' || s.do === 'leave') {
          const body = { walletaddr: wallets[s.by]!, nftaddr: chat }
          await clients[s.by]![s.do === 'join' ? 'joinChat' : 'leaveChat']({ body })
          joined[s.by] = s.do === 'join'
          if (s.do === 'leave') due[s.by] = []
        } else if (s.do === 'clear')
          await clients[s.by]!.deleteConversation({ fromaddr: wallets[s.by]!, toaddr: wallets[s.to]! })
        else if (s.do === 'break') await watchers[s.by]!.breakOff()
        else if (s.do === 'resume') await watchers[s.by]!.resume()
        else if (sent.length > 0) {
          const message = sent[s.which % sent.length]!
          const as = (address: string) => clients[wallets.indexOf(address)]!
          if (s.do === 'mark')
            await as(message.toaddr)
              .markDirectMessage({ ...message, body: { ...message, read: s.read } })
              .catch(gone)
          else await as(message.fromaddr).deleteDirectMessage({ id: message.id }).catch(gone)
        }
      }
      const isAboutStreams = (s: (typeof steps)[number]) => s.do === 'break' || s.do === 'resume'
      // A wallet acts on its own stream one step after the other; joining and leaving likewise.
      if (atOnce) {
        const inOrder = async () => {
          for (const s of steps) if (isAboutStreams(s)) await run(s)
        }
        const acts = steps.filter((s) => !isAboutStreams(s) && s.do !== 'join' && s.do !== 'leave')
        await Promise.all([...acts.map(run), inOrder()])
      } else for (const s of steps) await run(s)

      for (const [i, watcher] of watchers.entries()) {
        await watcher.resume()
        const address = wallets[i]!
        const there = await clients[i]!.listDirectMessages({ address })
        await expect
          .poll(
            async () => {
              watcher.applyAll()
              await watcher.readAgain()
              const known = [...watcher.messages.values()].toSorted((a, b) => a.id - b.id)
              return JSON.stringify(known)
            },
            { timeout: 5000, interval: 5 },
          )
          .toBe(JSON.stringify(there))
        await expect
          .poll(() => (watcher.applyAll(), due[i]!.filter((id) => !watcher.posts.has(id))), { timeout: 5000 })
          .toEqual([])
        if (!steps.some((s) => s.do === 'join' && s.by === i)) expect(watcher.posts.size).toBe(0)
        for (const conversation of new Set(watcher.order.map((item) => item.conversation))) {
          // A post of before the wallet joined may come too, at any time: when it resumes from before the post.
          const ids = watcher.order
            .filter((item) => item.conversation === conversation)
            .flatMap(({ id }) => (conversation !== chat || due[i]!.includes(id) ? [id] : []))
          expect(ids).toEqual(ids.toSorted((a, b) => a - b))
        }
      }
      await Promise.all(watchers.map((watcher) => watcher.breakOff()))
      if (slowest < longest) expect(watchers.map(({ resyncs }) => resyncs)).toEqual([0, 0, 0])
    }),
    { numRuns: 40 },
  )
}, 180_000)
