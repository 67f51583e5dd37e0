import { expect, test } from 'vitest'
import { newToken, newWallet, startService, useService } from '../../../../testing/service/service.ts'

const service = useService()

let count = 0
const newEmail = () => `Alice.${++count}@example.org`

async function newcomer(on = service, walletaddr = newWallet()) {
  const client = await on.as(walletaddr)
  return {
    wallet: walletaddr,
    update: async (changes: { email?: string; domain?: string }) =>
      (await client.updateSettings({ body: { walletaddr, ...changes } }))[0]!,
    read: async () => (await client.getSettings({ address: walletaddr }))[0],
  }
}

test('a wallet gets three mails an hour, and nothing is changed beyond', async () => {
  const t = await newcomer()
  for (let i = 0; i < 3; i++) await t.update({ email: newEmail() })
  const email = (await t.read())!.email
  const refused = t.update({ email: newEmail(), domain: 'changed' })
  await expect(refused).rejects.toMatchObject({ code: 'rate_limited', status: 429 })
  const { retryAfter } = await refused.catch((error) => error)
  expect(retryAfter).toBeGreaterThan(3500)
  expect(retryAfter).toBeLessThanOrEqual(3600)
  expect(await t.read()).toMatchObject({ email })
  expect(await t.read()).not.toHaveProperty('domain')
  expect(await t.update({ domain: 'still.possible' })).toMatchObject({ domain: 'still.possible' })
  await service.ctx.db.query(
    `update mail_quotas set sent = array(select t - 3600000 from unnest(sent) t) where key = $1`,
    [`wallet ${t.wallet}`],
  )
  await t.update({ email: newEmail() })
})

test.each([
  ['wallet', { mailsOfWallet: 1 }, 'a wallet may ask for 1 an hour', 3600],
  [
    'network address',
    { mailsOfNetwork: 2 },
    'all wallets of your network address may ask for 2 an hour',
    3600,
  ],
  ['service', { confirmationMails: 3 }, 'this service sends 3 an hour', 3600],
])(
  'over two instances a %s gets as many as are set, and the refusal says which limit it is and when to try again',
  async (_whose, limits, rule, most) => {
    await using one = await startService(limits)
    await using other = await startService({ ...limits, beside: one })
    const allowed = Object.values(limits)[0]!
    const same = 'mailsOfWallet' in limits ? newWallet() : undefined
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, async (_, i) =>
        (await newcomer(i % 2 ? one : other, same)).update({ email: newEmail() }),
      ),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(allowed)
    for (const answer of answers)
      if (answer.status === 'rejected') {
        expect(answer.reason).toMatchObject({ code: 'rate_limited', status: 429 })
        expect(answer.reason.message).toContain(rule)
        expect(answer.reason.retryAfter).toBeGreaterThan(0)
        expect(answer.reason.retryAfter).toBeLessThanOrEqual(most)
      }
  },
)

test('another network address is counted by itself, and the next hour is another one', async () => {
  await using strict = await startService({
    mailsOfNetwork: 1,
    confirmationMails: 3,
    ipv6Factor: 2,
    trustedProxies: ['127.0.0.1'],
  })
  const ask = async (network: string) => {
    const wallet = newWallet()
    const headers = {
      authorization: `Bearer ${await newToken(strict.ctx, wallet)}`,
      'x-forwarded-for': network,
    }
    const payload = { walletaddr: wallet, email: newEmail() }
    const answer = await strict.app.inject({ method: 'POST', url: '/v1/update_settings', headers, payload })
    return [answer.statusCode, answer.json().detail ?? '']
  }
  expect(await ask('203.0.113.1')).toEqual([200, ''])
  expect(await ask('203.0.113.1')).toEqual([429, expect.stringContaining('your network address')])
  expect(await ask('2001:db8::1')).toEqual([200, ''])
  expect(await ask('2001:db8::2')).toEqual([429, expect.stringContaining('your network address')])
  expect(await ask('2001:db8:0:1::1')).toEqual([200, ''])
  expect(await ask('2001:db8:0:2::1')).toEqual([429, expect.stringContaining('your IPv6 /48')])
  expect(await ask('203.0.113.2')).toEqual([429, expect.stringContaining('this service')])
  await strict.ctx.db.query('update mail_hours set hour_ms = hour_ms - 3600000')
  expect(await ask('203.0.113.2')).toEqual([200, ''])
})

test('what was counted names no mailbox and no network address', async () => {
  const t = await newcomer()
  await t.update({ email: 'someone.special@example.org' })
  const kept = JSON.stringify(await service.ctx.db.query('select key from mail_quotas'))
  expect(kept).toContain(t.wallet)
  expect(kept).not.toMatch(/special|127\.0\.0\.1/)
})

test('a mailbox gets five mails a day, from however many wallets at once and however it is written', async () => {
  const answers = await Promise.allSettled(
    Array.from({ length: 12 }, async (_, i) =>
      (await newcomer()).update({
        email: `${'victim'.slice(0, i % 6)}.${'victim'.slice(i % 6)}+${i}@Gmail.com`.replace(/^\./, ''),
      }),
    ),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  for (const answer of answers)
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({
        code: 'rate_limited',
        message: expect.stringContaining('a mailbox gets at most 5 a day'),
      })
})
