import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check } from '../../check/check.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { twoWallets } from '../../../../testing/people/two-wallets.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()
const kinds = ['👍', '🎉', '❤️', '😀']

/** Four wallets of a chat, the last of which is muted so that others do not see its reactions; the first two also write to each other. */
async function place() {
  const t = await twoWallets(service)
  const [one] = [await t.send('one'), await t.answer('two')]
  const [operator, other, muted] = [newWallet(), newWallet(), newWallet()]
  await addOperator(service, operator)
  await (
    await service.as(operator)
  ).act({ body: { action: 'shadow_mute', subject: muted, reason: 'a test' } })
  const nftaddr = `town${other.slice(2, 12)}`
  const asOther = await service.as(other)
  await asOther.createCommunity({ body: { community: nftaddr } })
  const posts = []
  for (const message of ['a', 'b', 'c'])
    posts.push((await asOther.postGroupMessage({ body: { fromaddr: other, nftaddr, message } }))[0]!)
  const people = [
    { address: t.alice, client: t.asAlice },
    { address: t.bob, client: t.asBob },
    { address: other, client: asOther },
    { address: muted, client: await service.as(muted) },
  ]
  return { ...t, one, people, posts, nftaddr, muted }
}
type Place = Awaited<ReturnType<typeof place>>

/** Has the sets of reactions by message and wallet. */
type Sets = Map<number, Map<string, string[]>>

/** Returns what a list shows a wallet of the reactions to a message. */
function expected(sets: Sets, { muted }: Place, id: number, reader: string) {
  const seen = [...(sets.get(id) ?? [])].filter(([by]) => by !== muted || by === reader)
  const counts = new Map<string, number>()
  for (const value of seen.flatMap(([, values]) => values)) counts.set(value, (counts.get(value) ?? 0) + 1)
  const mine = sets.get(id)?.get(reader) ?? []
  const all = [...counts].map(([value, count]) =>
    mine.includes(value) ? { value, count, mine: true } : { value, count },
  )
  const sorted = all.toSorted(
    (a, b) => b.count - a.count || Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)),
  )
  return sorted.length > 0 ? sorted : undefined
}

async function expectLists(at: Place, sets: Sets) {
  for (const { address, client } of at.people) {
    // The second read of a list begins with what the first one has found.
    for (const limit of [100, 2, 100]) {
      const page = { limit, before: Number.MAX_SAFE_INTEGER }
      const items = await client.listGroupMessages({ address: at.nftaddr, useraddress: address, query: page })
      expect(items).toHaveLength(Math.min(limit, at.posts.length))
      for (const { id, reactions } of items)
        expect(reactions, `${id} for ${address}`).toEqual(expected(sets, at, id, address))
    }
    if (address !== at.alice && address !== at.bob) continue
    const query = { limit: 10, before: Number.MAX_SAFE_INTEGER }
    for (const items of [
      await client.listConversation({ ...at.pair, query: {} }),
      await client.listConversation({ ...at.pair, query }),
      await client.listDirectMessages({ address, query: {} }),
    ])
      for (const { id, reactions } of items)
        expect(reactions, `${id} for ${address}`).toEqual(expected(sets, at, id, address))
  }
}

async function faults() {
  const found: string[] = []
  const onFault = ({ row, wrong }: { row: string; wrong: string[] }) =>
    found.push(`${row}: ${wrong.join('; ')}`)
  await check({ databaseUrl: service.databaseUrl, onFault })
  return found
}

const set = fc.subarray(kinds, { maxLength: 3 })

test('whatever wallets react with, all at once too, lists show each reader the present sets', async () => {
  const change = fc.record({ who: fc.nat(3), what: fc.nat(3), values: set })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const at = await place()
      const sets: Sets = new Map()
      const last = new Map<string, Promise<unknown>>()
      for (const { who, what, values } of changes) {
        const { address, client } = at.people[who]!
        const id = what < 3 ? at.posts[what]!.id : at.one.id
        if (what === 3 && who > 1) continue
        const ofMessage = sets.get(id) ?? new Map<string, string[]>()
        sets.set(id, ofMessage.set(address, values))
        // A wallet waits for its own changes, not for those of others.
        const key = `${who} ${id}`
        last.set(
          key,
          Promise.resolve(last.get(key)).then(() => client.react({ id, body: { values } })),
        )
      }
      await Promise.all(last.values())
      await expectLists(at, sets)
      expect(await faults()).toEqual([])
    }),
    { numRuns: 8 },
  )
})

test('an account that is erased while others react leaves their reactions alone, in lists and in rows', async () => {
  const at = await place()
  const sets: Sets = new Map()
  const ids = [...at.posts.map(({ id }) => id), at.one.id]
  for (const id of ids) await at.asBob.react({ id, body: { values: ['👍', '🎉'] } })
  const reactAgain = async (values: string[]) => {
    for (const id of ids) {
      await at.asAlice.react({ id, body: { values } })
      sets.set(id, new Map([[at.alice, values]]))
    }
  }
  await Promise.all([
    at.asBob.eraseAccount({ address: at.bob }),
    (async () => {
      for (const value of kinds) await reactAgain([value])
      await reactAgain(['🎉'])
    })(),
  ])
  at.people.splice(1, 1)
  await expectLists(at, sets)
  expect(await faults()).toEqual([])
})
