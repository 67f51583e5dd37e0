// What all wallets of one network address may store, begin and make in a day together.

import { expect, test } from 'vitest'
import { newToken, newWallet, type Service, useService } from '../../testing/service/service.ts'

/** A new wallet at a network address posts. Answers the status, and why it was refused. */
async function postFrom(on: Service, network: string, to: string, body: object) {
  const address = newWallet()
  const answer = await on.app.inject({
    method: 'POST',
    url: `/v1/${to}`,
    remoteAddress: network,
    headers: { authorization: `Bearer ${await newToken(on.ctx, address)}` },
    payload: to === 'create_community' ? body : { ...body, fromaddr: address },
  })
  return answer.statusCode === 200 ? 200 : `${answer.statusCode} ${answer.json().detail}`
}

const rate = { burst: 100_000, perSecond: 100_000 }
const ofAddress = {
  rateLimits: true,
  readLimit: rate,
  writeLimit: rate,
  accountLimit: rate,
  storedOfAddress: 1,
  strangersOfAddress: 3,
  commentsOfAddress: 3,
  communitiesOfAddress: 3,
  ipv6Factor: 2,
}
const one = useService(ofAddress)
const two = useService({ ...ofAddress, beside: one })
const service = useService({ ...ofAddress, strangersOfAddress: 100 })

test('new wallets give a network address no more of a day; another address has its own, and instances count together', async () => {
  const stranger = (on: Service, network: string) =>
    postFrom(on, network, 'create_chatitem', { toaddr: newWallet(), message: 'gm' })
  const comment = (on: Service, network: string) =>
    postFrom(on, network, 'create_comments', { message: 'gm', nftaddr: newWallet(), nftid: 1 })
  let towns = 0
  const community = (on: Service, network: string) =>
    postFrom(on, network, 'create_community', { community: `Town-${network}-${towns++}` })
  const all: [string, typeof stranger, RegExp][] = [
    ['192.0.2.1', stranger, /begin 3 conversations a day, and have begun them; you can write to /],
    ['192.0.2.2', comment, /write 3 comments a day, and have written them\./],
    ['192.0.2.3', community, /create 3 communities a day, and have created them\./],
  ]
  let used = 0
  const stored = async () => {
    const [sum] = await two.ctx.db.query<{ n: number }>(
      `select coalesce(sum(strangers + comments + communities), 0)::int as n from wallet_usage where walletaddr like 'network %'`,
    )
    return sum!.n
  }
  for (const [network, post, refusal] of all) {
    for (let n = 0; n < 3; n++) expect(await post(one, network)).toBe(200)
    const refused = await post(one, network)
    expect(refused).toMatch(
      /^429 All wallets of your network address together may .* They may do so again after /,
    )
    expect(refused).toMatch(refusal)
    expect(await post(one, '192.0.2.9')).toBe(200)
    // The other instance learns with its first write what was used here.
    expect(await post(two, network)).toBe(200)
    used += 5
    await expect.poll(stored, { timeout: 5_000 }).toBeGreaterThanOrEqual(used)
    await expect.poll(async () => String(await post(two, network)), { timeout: 5_000 }).toMatch(refusal)
  }
  // Who writes to itself begins nothing.
  expect(
    await postFrom(one, '192.0.2.1', 'create_comments', { message: 'gm', nftaddr: newWallet(), nftid: 1 }),
  ).toBe(200)
  const kept = JSON.stringify(await one.ctx.db.query('select walletaddr from wallet_usage'))
  expect(kept).toContain('network ')
  expect(kept).not.toContain('192.0.2')
})

test('what all wallets of a network address store in a day has a bound, and the networks of an IPv6 /48 share more', async () => {
  const store = (network: string) =>
    postFrom(service, network, 'create_chatitem', { toaddr: newWallet(), message: 'm'.repeat(60_000) })
  const storeUntilRefused = async (network: string) => {
    for (let n = 0; ; n++) {
      const answer = await store(network)
      if (answer !== 200) return [n, answer]
    }
  }
  const refusal = (who: string, mebibytes: number) =>
    expect.stringContaining(`429 ${who} together may store ${mebibytes} MiB a day, and this would be more.`)
  const ofNetwork = refusal('All wallets of your network address', 1)
  expect(await storeUntilRefused('192.0.2.1')).toEqual([17, ofNetwork])
  expect(await storeUntilRefused('2001:db8:1:1::1')).toEqual([17, ofNetwork])
  expect(await store('2001:db8:1:1::2')).toEqual(ofNetwork)
  expect(await storeUntilRefused('2001:db8:1:2::1')).toEqual([17, ofNetwork])
  expect(await store('2001:db8:1:3::1')).toEqual(refusal('All wallets of your IPv6 /48', 2))
  expect(await store('2001:db8:2:1::1')).toBe(200)
})
