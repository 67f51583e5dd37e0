import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWallet, type Service, startService } from '../../../../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

let count = 0
const newEmail = () => `Alice.${++count}@example.org`

async function newcomer(on = service) {
  const walletaddr = newWallet()
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

test('the refusal names the limits that are set', async () => {
  await using strict = await startService({ mailsOfWallet: 1, mailsToAddress: 7 })
  const t = await newcomer(strict)
  await t.update({ email: newEmail() })
  await expect(t.update({ email: newEmail() })).rejects.toThrow(
    'at most 1 an hour for a wallet and 7 a day to an address',
  )
})

test('a mailbox gets five mails a day, from however many wallets at once and however it is written', async () => {
  const answers = await Promise.allSettled(
    Array.from({ length: 12 }, async (_, i) =>
      (await newcomer()).update({ email: `${i % 2 ? 'Victim' : `victim+${i}`}@Example.org` }),
    ),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  for (const answer of answers)
    if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'rate_limited' })
})
