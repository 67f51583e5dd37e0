import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueue } from '../../jobs/queue.ts'
import { newWallet, startService, useService } from '../../../../testing/service/service.ts'
import { startSmtp } from '../../../../testing/outside/smtp.ts'

const adminApiKey = 'an-admin-key-that-is-long-enough-to-be-one'

let smtp: Awaited<ReturnType<typeof startSmtp>>
beforeAll(async () => void (smtp = await startSmtp()))
afterAll(() => smtp[Symbol.asyncDispose]())
const settings = () => ({ adminApiKey, smtpUrl: smtp.url, messageMails: 3 })
const service = useService(settings)
const other = useService(() => ({ ...settings(), beside: service }))

let count = 0

/** Makes a wallet with a confirmed address that wants these mails. */
async function reader(on = service, wants: object = { notifydm: 'true' }) {
  const wallet = newWallet()
  const email = `reader-${++count}@example.org`
  const headers = { authorization: `Bearer ${adminApiKey}` }
  const payload = { walletaddr: wallet, email, ...wants }
  await on.app.inject({ method: 'POST', url: '/v1/update_settings', headers, payload })
  return {
    wallet,
    client: await on.as(wallet),
    /** Returns the first line of each mail so far. */
    firstLines: () =>
      smtp.inbox
        .filter(({ recipients }) => recipients.includes(email))
        .map(({ mail }) => mail.text!.split('\n')[0]),
  }
}

async function write(fromaddr: string, toaddr: string, on = service) {
  const client = await on.as(fromaddr)
  return (await client.sendDirectMessage({ body: { fromaddr, toaddr, message: 'gm' } }))[0]!
}

/** Runs the jobs of both instances at once. */
const runJobs = () => Promise.all([service.runJobs(), other.runJobs()])

/** Moves the mails to a wallet into the past by this time. */
async function pass(minutes: number, toaddr: string) {
  const { db } = service.ctx
  await db.query(
    'update dm_mails set sent = array(select t - $2::bigint from unnest(sent) t) where toaddr = $1',
    [toaddr, minutes * 60_000],
  )
  await db.query(
    `update graphile_worker._private_jobs set run_at = run_at - $2::integer * interval '1 minute' where payload->>'toaddr' = $1`,
    [toaddr, minutes],
  )
}

/** Returns in how many minutes each waiting mail to a wallet may be sent. */
const waiting = async (toaddr: string) =>
  (
    await service.ctx.db.query<{ minutes: number }>(
      `select extract(epoch from run_at - $2::timestamptz)::float8 / 60 as minutes
       from graphile_worker._private_jobs where payload->>'toaddr' = $1`,
      [toaddr, new Date(service.ctx.db.now())],
    )
  ).map(({ minutes }) => Math.ceil(minutes))

const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`
const line = (sender: string, what = 'a message') =>
  `${short(sender)} sent you ${what} you have not read yet.`

test('two hundred strangers, a hundred at once on two instances, bring one mail, and five minutes later one that counts them', async () => {
  const t = await reader()
  const first = newWallet()
  await write(first, t.wallet)
  await runJobs()
  // They are not sent all at once: on a busy machine some would wait too long for a connection.
  for (let n = 0; n < 2; n++)
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => write(newWallet(), t.wallet, i % 2 ? service : other)),
    )
  await runJobs()
  expect(t.firstLines()).toEqual([line(first)])
  expect(await waiting(t.wallet)).toEqual([5])
  await pass(5, t.wallet)
  await runJobs()
  expect(t.firstLines()).toEqual([line(first), 'There are new messages from 200 people.'])
  expect(await waiting(t.wallet)).toEqual([])
})

test('strangers at once bring one mail to each reader', async () => {
  const readers = await Promise.all(Array.from({ length: 4 }, () => reader()))
  const senders = Array.from({ length: 4 }, newWallet)
  await Promise.all(
    Array.from({ length: 160 }, (_, i) =>
      write(senders[i % 4]!, readers[Math.floor(i / 4) % 4]!.wallet, i % 3 ? service : other),
    ),
  )
  await runJobs()
  for (const t of readers) expect(t.firstLines()).toEqual(['There are new messages from 4 people.'])
})

test('a wallet gets one mail about a message, and one that has been read is not', async () => {
  const t = await reader()
  const [alice, bob] = [newWallet(), newWallet()]
  await write(alice, t.wallet)
  await runJobs()
  for (let i = 0; i < 3; i++) {
    await write(alice, t.wallet, i % 2 ? service : other)
    await runJobs()
  }
  expect(await waiting(t.wallet)).toEqual([5])
  await pass(5, t.wallet)
  await runJobs()
  expect(t.firstLines()).toEqual([line(alice), line(alice, '3 messages')])

  await pass(5, t.wallet)
  const sent = await write(bob, t.wallet)
  await t.client.markDirectMessage({ fromaddr: bob, toaddr: t.wallet, body: { ...sent, read: true } })
  await runJobs()
  expect(t.firstLines()).toHaveLength(2)
  await write(bob, t.wallet)
  await runJobs()
  expect(t.firstLines().at(-1)).toBe(line(bob))
})

test('a wallet gets as many mails in a day as are set; the next one is about what came since', async () => {
  const t = await reader()
  for (let i = 0; i < 3; i++) {
    await write(newWallet(), t.wallet)
    await runJobs()
    await pass(10, t.wallet)
  }
  expect(t.firstLines()).toHaveLength(3)
  for (let i = 0; i < 2; i++) await write(newWallet(), t.wallet)
  await runJobs()
  expect(t.firstLines()).toHaveLength(3)
  expect(await waiting(t.wallet)).toEqual([24 * 60 - 30])
  await pass(24 * 60 - 30, t.wallet)
  await runJobs()
  expect(t.firstLines().at(-1)).toBe('There are new messages from 2 people.')
  await runJobs()
  expect(t.firstLines()).toHaveLength(4)
})

test('a mail that was given up or is still tried takes nothing with it: the next one has it', async () => {
  const [lost, late] = [await reader(), await reader()]
  const [alice, bob] = [newWallet(), newWallet()]
  for (const [{ wallet }, code] of [
    [lost, 550],
    [late, 451],
  ] as const) {
    smtp.refuse(code)
    await write(alice, wallet)
    await runJobs()
    smtp.accept()
    // This is the state when messages come while the job is being done: they get a job of their own.
    await service.ctx.db.query('update graphile_worker._private_jobs set key = null')
    await write(bob, wallet)
    await runJobs()
    await pass(5, wallet)
    await runJobs()
  }
  for (const t of [lost, late]) expect(t.firstLines()).toEqual(['There are new messages from 2 people.'])
})

test('the five minutes count from the attempt that succeeded', async () => {
  const t = await reader()
  const [alice, bob] = [newWallet(), newWallet()]
  smtp.refuse(451)
  await write(alice, t.wallet)
  await runJobs()
  smtp.accept()
  await pass(4, t.wallet)
  await runJobs()
  await write(bob, t.wallet)
  await runJobs()
  expect(t.firstLines()).toEqual([line(alice)])
  expect(await waiting(t.wallet)).toEqual([5])
})

test('messages from long before mails were wanted are no news', async () => {
  const t = await reader(service, {})
  const [old, fresh] = [newWallet(), newWallet()]
  await write(old, t.wallet)
  await service.runJobs()
  await service.ctx.db.query('update direct_messages set ms = ms - 259200000 where toaddr = $1', [t.wallet])
  await t.client.updateSettings({ body: { walletaddr: t.wallet, notifydm: 'true' } })
  await write(fresh, t.wallet)
  await runJobs()
  expect(t.firstLines()).toEqual([line(fresh)])
})

test('the whole service sends as many mails in an hour as are set, and the others wait for the next', async () => {
  const few = { adminApiKey, smtpUrl: smtp.url, notificationMails: 2 }
  await using one = await startService(few)
  await using two = await startService({ ...few, beside: one })
  const readers = await Promise.all(
    Array.from({ length: 4 }, (_, i) => reader(one, i ? { notifydm: 'true' } : { notify24: 'true' })),
  )
  for (const { wallet } of readers) await write(newWallet(), wallet, one)
  await enqueue(one.ctx.db, 'send-daily-summary', { walletaddr: readers[0]!.wallet })
  const mails = () => readers.flatMap(({ firstLines }) => firstLines())
  await Promise.all([one.runJobs(), two.runJobs()])
  expect(mails()).toHaveLength(2)
  await one.ctx.db.query('update mail_hours set hour_ms = hour_ms - 3600000')
  await one.ctx.db.query(`update graphile_worker._private_jobs set run_at = now()`)
  await Promise.all([one.runJobs(), two.runJobs()])
  expect(mails()).toHaveLength(4)
  for (const { firstLines } of readers) expect(firstLines()).toHaveLength(1)
})

test('no mail is about wallets that are blocked, ignored or muted, nor about requests that are kept', async () => {
  const peers = await Promise.all(
    (['blocked', 'ignored', 'muted', 'kept'] as const).map(async (how) => {
      const { wallet, client, firstLines } = await reader(service, { notifydm: 'true', notify24: 'true' })
      const peer = newWallet()
      if (how === 'muted')
        await client.setContact({ peer, body: { state: 'accepted', muted_until: 'forever' } })
      else if (how === 'kept') await client.setDmPolicy({ body: { who: 'requests' } })
      else await client.setContact({ peer, body: { state: how } })
      return { wallet, peer, client, firstLines }
    }),
  )
  const told = await reader(service, { notifydm: 'true', notify24: 'true' })
  for (const { wallet, peer } of peers) await write(peer, wallet)
  await write(newWallet(), told.wallet)
  await runJobs()
  for (const { wallet } of [...peers, told])
    await enqueue(service.ctx.db, 'send-daily-summary', { walletaddr: wallet })
  await runJobs()
  for (const { firstLines } of peers) expect(firstLines()).toEqual([])
  expect(told.firstLines()).toHaveLength(2)
  // The next mail has what was left out before the wallet changed its mind.
  const [, , muted] = peers
  await muted!.client.setContact({ peer: muted!.peer, body: { muted_until: null } })
  await write(muted!.peer, muted!.wallet)
  await runJobs()
  expect(muted!.firstLines()).toHaveLength(1)
})
