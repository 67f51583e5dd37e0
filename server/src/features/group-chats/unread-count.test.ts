import { expect, test, vi } from 'vitest'
import {
  newName,
  newToken,
  newWallet,
  type Service,
  startService,
  useService,
} from '../../../../testing/service/service.ts'

const service = useService()

/** Requests how much a wallet has not read of a chat: as anyone, or as another wallet or itself. */
async function ask(on: Service, nftaddr: string, wallet: string, caller?: string) {
  const { statusCode, body } = await on.app.inject({
    url: `/v1/get_groupchatitems_unreadcnt/${nftaddr}/${wallet}`,
    ...(caller && { headers: { authorization: `Bearer ${await newToken(on.ctx, caller)}` } }),
    remoteAddress: '198.51.100.7',
  })
  return statusCode === 200 ? Number(body) : statusCode
}

async function newTown() {
  const [town, poster, member, visitor] = [newName('town'), newWallet(), newWallet(), newWallet()]
  const asPoster = await service.as(poster)
  const post = () => asPoster.postGroupMessage({ body: { fromaddr: poster, nftaddr: town, message: 'gm' } })
  await asPoster.createCommunity({ body: { community: town } })
  await post()
  await (await service.as(member)).joinChat({ body: { walletaddr: member, nftaddr: town } })
  return { town, member, visitor, post }
}

test('anyone learns the count of a wallet that has joined, and nothing of one that has not', async () => {
  const { town, member, visitor } = await newTown()
  expect(await ask(service, town, member)).toBe(1)
  expect(await ask(service, town, visitor)).toBe(0)
  expect(await ask(service, town, visitor, member)).toBe(0)
  expect(await ask(service, town, visitor, visitor)).toBe(1)
})

test('whether a wallet has joined is part of one statement, and follows joining, leaving and erasure', async () => {
  const { town, visitor, post } = await newTown()
  const asVisitor = await service.as(visitor)
  const body = { walletaddr: visitor, nftaddr: town }
  const counts = async () => {
    const query = vi.spyOn(service.ctx.db, 'query')
    const count = await ask(service, town, visitor)
    expect(query).toHaveBeenCalledTimes(1)
    query.mockRestore()
    return count
  }
  await asVisitor.joinChat({ body })
  expect(await counts()).toBe(1)
  await asVisitor.leaveChat({ body })
  expect(await counts()).toBe(0)
  // A visit outlives the bookmark.
  await asVisitor.listGroupMessages({ address: town, useraddress: visitor })
  await asVisitor.joinChat({ body })
  await post()
  expect(await counts()).toBe(1)
  await asVisitor.leaveChat({ body })
  expect(await counts()).toBe(0)
  await asVisitor.joinChat({ body })
  await asVisitor.eraseAccount({ address: visitor })
  expect(await counts()).toBe(0)
  expect(
    await service.ctx.db.query('select 1 as one from group_visits where walletaddr = $1', [visitor]),
  ).toEqual([])
})

const gated = useService({ beside: service, rpcUrls: { 1: 'http://127.0.0.1:9' } })

test('nobody but the wallet itself learns the count of an NFT chat whose chain is configured', async () => {
  const { town, member, visitor } = await newTown()
  const nftaddr = newWallet()
  await (await gated.as(member)).joinChat({ body: { walletaddr: member, nftaddr } })
  for (const caller of [undefined, visitor, member]) expect(await ask(gated, nftaddr, member, caller)).toBe(0)
  expect(await ask(gated, town, member)).toBe(1)
})

const closed = useService({ beside: service, publicUnreadCounts: false })

test('an operator may close the counts to all but the wallet itself', async () => {
  const { town, member, visitor } = await newTown()
  expect(await ask(closed, town, member)).toBe(403)
  expect(await ask(closed, town, member, visitor)).toBe(403)
  expect(await ask(closed, town, member, member)).toBe(1)
})

test('who asks about another wallet has a small budget by network address; a token that is not valid is 401', async () => {
  await using limited = await startService({
    beside: service,
    rateLimits: true,
    publicCountLimit: { burst: 3, perSecond: 0.01 },
  })
  const { town, member, visitor } = await newTown()
  const answers = []
  for (const caller of [undefined, visitor, undefined, undefined, visitor])
    answers.push(await ask(limited, town, member, caller))
  expect(answers).toEqual([1, 1, 1, 429, 429])
  expect(await ask(limited, town, member, member)).toBe(1)
  const { statusCode } = await limited.app.inject({
    url: `/v1/get_groupchatitems_unreadcnt/${town}/${member}`,
    headers: { authorization: 'Bearer nonsense' },
  })
  expect(statusCode).toBe(401)
})
