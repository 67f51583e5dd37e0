// An approved post becomes visible at that moment, so its author must be allowed to post at that moment.

import { beforeAll, expect, test } from 'vitest'
import { chatMember, newCommunity } from '../../../../testing/people/chat-members.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'

let act: (action: string, subject: string) => Promise<unknown>
const service = useService()
const other = useService({ beside: service })
beforeAll(async () => {
  const operator = newWallet()
  await addOperator(service, operator)
  const client = await service.as(operator)
  act = (action, subject) => client.act({ body: { action: action as 'note', subject, reason: 'a test' } })
})

let chats = 0
async function withHeldPost() {
  const town = `town-${(chats += 1)}`
  const [owner, alice, bob] = await newCommunity(service, town)
  await owner.rules({ words: ['wait'] })
  const held = await alice.post('please wait')
  return { town, owner, alice, bob, held }
}

test.each([
  ['is banned', (t: Held) => act('ban', t.alice.address), (t: Held) => act('lift', t.alice.address)],
  ['is muted', (t: Held) => act('mute', t.alice.address), (t: Held) => act('lift', t.alice.address)],
  [
    'is banned in the chat',
    (t: Held) => t.owner.restrict(t.alice.address, { banned_until: 'forever' }),
    (t: Held) => t.owner.restrict(t.alice.address, {}),
  ],
  [
    'is muted in the chat',
    (t: Held) => t.owner.restrict(t.alice.address, { muted_until: 'forever' }),
    (t: Held) => t.owner.restrict(t.alice.address, {}),
  ],
  [
    'posts in a chat that is closed',
    (t: Held) => act('close_chat', t.town),
    (t: Held) => act('open_chat', t.town),
  ],
])('a post whose author %s is not shown by approving it', async (_what, begin, end) => {
  const t = await withHeldPost()
  await begin(t)
  const refusal = await t.owner.decide(t.held.id, true).catch((error: Error) => error)
  expect(refusal).toMatchObject({ status: expect.toSatisfy((status) => status === 409 || status === 403) })
  expect((refusal as Error).message).not.toMatch(/your wallet/)
  expect(await t.bob.read()).toEqual([])
  expect((await t.owner.held()).map(({ id }) => id)).toEqual([t.held.id])
  await end(t)
  await t.owner.decide(t.held.id, true)
  expect((await t.bob.read()).map(({ message }) => message)).toEqual(['please wait'])
})

type Held = Awaited<ReturnType<typeof withHeldPost>>

test('the approved post of a wallet that is muted unseen goes on being seen by it alone, and it cannot tell', async () => {
  const seen = []
  for (const isMuted of [false, true]) {
    const t = await withHeldPost()
    await using stream = await listenTo(service, t.bob.address)
    if (isMuted) await act('shadow_mute', t.alice.address)
    await t.owner.decide(t.held.id, true)
    await t.owner.post('afterwards')
    await stream.receives(1)
    expect(stream.messages().includes('please wait')).toBe(!isMuted)
    expect((await t.bob.read()).length).toBe(isMuted ? 1 : 2)
    expect(await t.owner.held()).toEqual([])
    const own = await t.alice.read()
    seen.push(own.map(({ message, held }) => [message, held]))
    expect(await t.alice.unread()).toBe(0)
  }
  expect(seen[1]).toEqual(seen[0])
})

test('in slow mode one of many first posts at once in a chat without messages is stored, on two instances', async () => {
  for (let n = 0; n < 4; n++) {
    const nftaddr = newWallet()
    const { bucket } = (
      await service.ctx.db.query<{ bucket: number }>('select bucket_of($1) as bucket', [nftaddr])
    )[0]!
    await service.ctx.db.query(
      'insert into chat_rules (bucket, chat, slow_seconds, ms) values ($1, $2, 60, $3)',
      [bucket, nftaddr, service.ctx.db.now()],
    )
    for (const { ctx } of [service, other]) await ctx.chatRules.refresh()
    const address = newWallet()
    const clients = [await service.as(address), await other.as(address)]
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        clients[i % 2]!.postGroupMessage({ body: { fromaddr: address, nftaddr, message: `${i}` } }).then(
          () => 'stored',
          ({ code }: { code: string }) => code,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set(['stored', 'rate_limited']))
    const member = await chatMember(service, nftaddr)
    expect(await member.read()).toHaveLength(1)
  }
})
