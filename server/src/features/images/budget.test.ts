// What a wallet, and all wallets of a network address, may store as pictures: at once, and in a day.

import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { newToken, newWallet, type Service, useService } from '../../../../testing/service/service.ts'

/** Makes a picture that no compression makes smaller; `side` is in pixels, of three bytes each. */
const noise = async (side: number) =>
  (
    await sharp(randomBytes(side ** 2 * 3), { raw: { width: side, height: side, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer()
  ).toString('base64')

const rate = { burst: 100_000, perSecond: 100_000 }
const settings = { rateLimits: true, accountLimit: rate, pictureSeconds: 20 }
const service = useService(settings)
const ofAddress = useService({
  ...settings,
  pictureBytesOfAddress: { burst: 100, perSecond: 0.001 },
})
const few = useService({ ...settings, pictureBytes: { burst: 50, perSecond: 0.001 } })
const ofADay = useService({ ...settings, picturesADay: 1, picturesOfAddress: 2 })

/** Stores a picture from a network address. Returns the response. */
async function put(on: Service, wallet: string, base64data: string, from = '192.0.2.1') {
  return on.app.inject({
    method: 'PUT',
    url: '/v1/image',
    remoteAddress: from,
    headers: { authorization: `Bearer ${await newToken(on.ctx, wallet)}` },
    payload: { addr: wallet, base64data },
  })
}

const pictureOf = async (on: Service, addr: string) =>
  (await (await on.as(newWallet())).getImage({ addr }))[0]?.base64data

test('a wallet stores large pictures a few times in a row, then it waits; smaller ones and other wallets go on', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const large = await Promise.all(Array.from({ length: 5 }, () => noise(800)))
  const began = performance.now()
  const answers = []
  for (const picture of large) answers.push(await put(service, alice, picture))
  const statuses = answers.map(({ statusCode }) => statusCode)
  // Each has 2.5 MiB, and while they are decoded the bucket fills up by 128 KiB a second.
  const most = Math.floor((10 * 1024 + ((performance.now() - began) / 1000) * 128) / 2501)
  const stored = statuses.filter((status) => status === 200).length
  expect(stored).toBeGreaterThanOrEqual(4)
  expect(stored).toBeLessThanOrEqual(most)
  const last = statuses.lastIndexOf(200)
  expect(await pictureOf(service, alice)).toBe(large[last])
  const refused = answers.find(({ statusCode }) => statusCode === 429)!
  const wait = Number(refused.headers['retry-after'])
  expect(wait).toBeGreaterThan(5)
  expect(wait).toBeLessThanOrEqual(20)
  expect(refused.json()).toMatchObject({
    type: '/docs/errors#rate_limited',
    detail: `Your wallet may store 10 MiB of pictures at once and 128 KiB a second, as they are sent. Send a smaller picture, or try again in ${wait} s.`,
  })
  const small = await noise(30)
  expect((await put(service, alice, small)).statusCode).toBe(200)
  expect(await pictureOf(service, alice)).toBe(small)
  expect((await put(service, bob, large[0]!)).statusCode).toBe(200)
})

test('all wallets of a network address share what it may store; another address has its own, and a /48 is one', async () => {
  // This has 37 KiB.
  const picture = await noise(95)
  const from = async (address: string) => (await put(ofAddress, newWallet(), picture, address)).statusCode
  expect([await from('192.0.2.1'), await from('192.0.2.1')]).toEqual([200, 200])
  const refused = await put(ofAddress, newWallet(), picture)
  expect(refused.statusCode).toBe(429)
  expect(refused.json().detail).toMatch(
    /^All wallets of your network address together may store 100 KiB of pictures at once/,
  )
  expect(await from('192.0.2.2')).toBe(200)
  const site = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:2:1::1']
  const answers = []
  for (const address of site) answers.push(await from(address))
  expect(answers).toEqual([200, 200, 429, 200])
})

test('a picture that is refused for another reason uses nothing, and one larger than the limit is stored by itself', async () => {
  const alice = newWallet()
  const picture = await noise(150)
  for (const wrong of [picture.slice(0, -400), `${picture}AAAA`, 'A'.repeat(40_000)])
    expect((await put(few, alice, wrong)).statusCode).toBe(400)
  expect((await put(few, alice, picture)).statusCode).toBe(200)
  expect((await put(few, alice, await noise(5))).statusCode).toBe(429)
})

test('two requests with one Idempotency-Key at the same moment count once', async () => {
  // This has 22 KiB, so two of them fit.
  const picture = await noise(75)
  const alice = newWallet()
  const client = await few.as(alice)
  const body = { addr: alice, base64data: picture }
  const store = (idempotencyKey: string) => client.createImage({ body }, { idempotencyKey })
  const all = await Promise.allSettled([store('one'), store('one')])
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  await store('two')
  await expect(store('three')).rejects.toMatchObject({ code: 'rate_limited' })
})

test('a wallet stores its pictures of a day, and all wallets of a network address theirs; messages go on', async () => {
  const [alice, bob, carol] = [newWallet(), newWallet(), newWallet()]
  // This has 0.9 MiB as it is sent.
  const picture = await noise(480)
  expect((await put(ofADay, alice, picture)).statusCode).toBe(200)
  const refused = await put(ofADay, alice, picture)
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.json().detail).toMatch(
    /^Your wallet may store 1 MiB of pictures a day, and this would be more\. It may do so again after 00:00 UTC, in /,
  )
  expect((await put(ofADay, bob, picture)).statusCode).toBe(200)
  expect((await put(ofADay, carol, picture)).json().detail).toMatch(
    /^All wallets of your network address together may store 2 MiB of pictures a day/,
  )
  const client = await ofADay.as(alice)
  await client.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'gm' } })
})
