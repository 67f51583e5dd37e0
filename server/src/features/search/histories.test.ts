import { match, parseQuery } from '@parley/sdk/search/query.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { citusUrl } from '../../../../testing/service/citus.ts'
import { followAll } from '../../../../testing/service/log.ts'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'
import { cleanIndex } from './clean.ts'
import { searchReader } from './reader.ts'

const service = useService()

const words = ['apple', 'Äpfel', '契約書', 'well-known', 'https://example.org/apple']
const queries = ['apple', 'app', 'apfel', '契約', 'known', '"apple well"', 'example.org apple']

const who = fc.nat({ max: 2 })
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((some) => some.join(' '))
const nth = fc.nat({ max: 30 })
/** What may happen: a number stands for one of the wallets, or for one of the messages so far. */
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('send' as const), by: who, to: who, text }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('post' as const), by: who, text }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('edit' as const), by: who, nth, text }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('delete', 'hide', 'remove'), by: who, nth }) },
  fc.record({
    do: fc.constantFrom('hide all', 'delete all', 'block', 'unblock', 'ban', 'unban'),
    by: who,
    to: who,
  }),
  fc.record({ do: fc.constantFrom('join', 'leave'), by: who }),
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('index', 'clean') }) },
)

test('a wallet finds exactly what a scan of its lists finds, whatever has happened', async () => {
  const { db } = service.ctx
  const everybody = async () =>
    Promise.all(
      [0, 1, 2].map(async () => {
        const address = newWallet()
        return { address, client: await service.as(address) }
      }),
    )

  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 40 }), async (happenings) => {
      const wallets = await everybody()
      const nftaddr = newName('town')
      const sent: { id: number; revision: number }[] = []
      await wallets[0]!.client.createCommunity({ body: { community: nftaddr } })
      for (const { address, client } of wallets)
        await client.joinChat({ body: { walletaddr: address, nftaddr } })
      const act = async (one: (typeof happenings)[number]): Promise<unknown> => {
        const by = wallets['by' in one ? one.by : 0]!
        const to = wallets['to' in one ? one.to : 0]!.address
        const message = sent['nth' in one && sent.length > 0 ? one.nth % sent.length : 0]
        const id = message?.id ?? 0
        switch (one.do) {
          case 'send':
          case 'post': {
            const [stored] =
              one.do === 'send'
                ? await by.client.sendDirectMessage({
                    body: { fromaddr: by.address, toaddr: to, message: one.text },
                  })
                : await by.client.postGroupMessage({
                    body: { fromaddr: by.address, nftaddr, message: one.text },
                  })
            return sent.push({ id: stored!.id, revision: 0 })
          }
          case 'edit':
            await by.client.editMessage({ id, body: { message: one.text, revision: message?.revision ?? 0 } })
            return message!.revision++
          case 'delete':
            return by.client.deleteDirectMessage({ id })
          case 'hide':
            return by.client.hideMessage({ id })
          case 'remove':
            return by.client.removePost({ nftaddr, id })
          case 'hide all':
            return by.client.hideConversation({ toaddr: to })
          case 'delete all':
            return by.client.deleteConversation({ fromaddr: by.address, toaddr: to })
          case 'block':
          case 'unblock':
            return by.client.setContact({ peer: to, body: { blocked: one.do === 'block' } })
          case 'ban':
          case 'unban':
            return wallets[0]!.client.restrictMember({
              nftaddr,
              walletaddr: to,
              body: { banned_until: one.do === 'ban' ? 'forever' : null, reason: 'a test' },
            })
          case 'join':
            return by.client.joinChat({ body: { walletaddr: by.address, nftaddr } })
          case 'leave':
            return by.client.leaveChat({ body: { walletaddr: by.address, nftaddr } })
          case 'index':
            return followAll(db, searchReader)
          default:
            return cleanIndex(db)
        }
      }
      // A refusal is fine: the lists show what was done.
      for (const one of happenings) await act(one).catch(() => {})

      for (const { address, client } of wallets) {
        const contacts = await client.listContacts({ query: { state: 'blocked' } })
        const blocked = new Set(contacts.map(({ peer }) => peer))
        const seen: { id: number; message: string; removed?: true }[] = []
        for (const { address: peer } of wallets)
          if (!blocked.has(peer))
            seen.push(...(await client.listConversation({ fromaddr: address, toaddr: peer })))
        const joined = await client.listBookmarks({ address })
        if (joined.length > 0)
          seen.push(
            ...(await client
              .listGroupMessages({ address: nftaddr, useraddress: address, query: { enter: false } })
              .catch(() => [])),
          )
        for (const q of queries) {
          const query = parseQuery(q) as Exclude<ReturnType<typeof parseQuery>, { problem: string }>
          const expected = seen
            .filter(({ message, removed }) => !removed && match(query, [message]))
            .map(({ id }) => id)
            .toSorted((a, b) => b - a)
          const found: number[] = []
          for (let before: number | undefined; ;) {
            const page = await client.search({
              body: { q, limit: 3, ...(before !== undefined && { before }) },
            })
            const ids = page.flatMap((hit) => ('item' in hit ? [hit.item.id] : []))
            found.push(...ids)
            if (ids.length < 3) break
            before = ids.at(-1)!
          }
          expect(found, `${q} of ${address}`).toEqual(expected)
        }
      }
    }),
    // A cluster takes ten times as long.
    { numRuns: citusUrl === undefined ? 25 : 3 },
  )
}, 120_000)
