import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueue } from '../../jobs/queue.ts'
import { jobsGivenUp } from '../../telemetry/metrics.ts'
import { inOrder, pairBucket } from '../../values/bucket.ts'
import { followAll } from '../../../../testing/service/log.ts'
import { newWallet, type Service, startService, useService } from '../../../../testing/service/service.ts'
import { storeCommunity, storeName } from '../../../../testing/service/written-directly.ts'
import { header, type Received, startSmtp } from '../../../../testing/outside/smtp.ts'

const adminApiKey = 'an-admin-key-that-is-long-enough-to-be-one'
const publicUrl = 'https://chat.example.org'
const settings = { adminApiKey, publicUrl, mailFrom: { name: 'Parley', address: 'parley@mail.example.org' } }

let smtp: Awaited<ReturnType<typeof startSmtp>>
beforeAll(async () => void (smtp = await startSmtp()))
afterAll(() => smtp[Symbol.asyncDispose]())
const service = useService(() => ({ ...settings, smtpUrl: smtp.url }))

let count = 0

/** Makes a wallet with a confirmed address that wants these mails. */
async function reader(wants: { notifydm?: 'true'; notify24?: 'true' }, at = service) {
  const wallet = newWallet()
  const email = `reader-${++count}@example.org`
  const answer = await at.app.inject({
    method: 'POST',
    url: '/v1/update_settings',
    headers: { authorization: `Bearer ${adminApiKey}` },
    payload: { walletaddr: wallet, email, ...wants },
  })
  expect(answer.json()).toMatchObject([{ verified: 'true' }])
  return { wallet, email, client: await at.as(wallet), mails: () => mailsTo(email) }
}

const mailsTo = (email: string) => smtp.inbox.filter(({ recipients }) => recipients.includes(email))

async function write(fromaddr: string, toaddr: string, message = 'gm', at = service) {
  const client = await at.as(fromaddr)
  return (await client.sendDirectMessage({ body: { fromaddr, toaddr, message } }))[0]!
}

const pendingJobs = (at: Service, toaddr: string) =>
  at.ctx.db.query<{ attempts: number; last_error: string }>(
    `select attempts, last_error from graphile_worker._private_jobs where payload->>'toaddr' = $1`,
    [toaddr],
  )

const links = ({ mail }: Received) =>
  [...`${mail.text} ${mail.html}`.matchAll(/\bhttps?:\/\/[^\s"<]+/g)].map(String)
const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`

test('a direct message brings a mail to a wallet that wants one, without its text', async () => {
  const t = await reader({ notifydm: 'true' })
  const alice = newWallet()
  await write(alice, t.wallet, 'the secret plan <b>https://evil.example</b>')
  await service.runJobs()
  const [received, ...more] = t.mails()
  expect(more).toEqual([])
  expect(received!.recipients).toEqual([t.email])
  const { mail, raw } = received!
  expect(mail.to).toEqual([{ address: t.email, name: '' }])
  expect([mail.cc, mail.bcc]).toEqual([undefined, undefined])
  expect(mail.from).toEqual({ address: 'parley@mail.example.org', name: 'Parley' })
  expect(mail.subject).toBe('New message on chat.example.org')
  for (const part of [mail.text!, mail.html!]) {
    expect(part).toContain(`${short(alice)} sent you a message`)
    expect(part).not.toMatch(/secret|evil/)
  }
  expect(raw).not.toMatch(/secret|evil/)
  for (const link of links(received!))
    expect(link.startsWith(`${publicUrl}/`) || link === publicUrl).toBe(true)
  expect(mail.html).not.toMatch(/<img|src=|<script/)
  expect(header(received!, 'auto-submitted')).toBe('auto-generated')
  expect(header(received!, 'message-id')).toMatch(/^<dm\.\d+\.\d+@mail\.example\.org>$/)
  expect(header(received!, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
})

test('who does not want mails, has no confirmed address, or writes to itself gets none', async () => {
  const alice = newWallet()
  const silent = await reader({ notify24: 'true' })
  const unconfirmed = newWallet()
  const email = `unconfirmed-${++count}@example.org`
  const client = await service.as(unconfirmed)
  await client.updateSettings({ body: { walletaddr: unconfirmed, email, notifydm: 'true' } })
  const alone = await reader({ notifydm: 'true' })
  await write(alice, silent.wallet)
  await write(alice, unconfirmed)
  await write(alone.wallet, alone.wallet)
  await service.runJobs()
  expect(silent.mails()).toEqual([])
  expect(alone.mails()).toEqual([])
  expect(mailsTo(email).map(({ mail }) => mail.subject)).toEqual(['Confirm your e-mail address'])
})

test('a message that was not stored brings no mail, one sent again with its key one', async () => {
  const t = await reader({ notifydm: 'true' })
  const alice = newWallet()
  const client = await service.as(alice)
  const body = { fromaddr: alice, toaddr: t.wallet, message: 'gm' }
  await service.ctx.db.query(
    'insert into conversations (bucket, a, b, id, last_ms) values ($1, $2, $3, next_id_v1($1, 64 + $1), $4)',
    [pairBucket(alice, t.wallet), ...inOrder(alice, t.wallet), Date.now() + 3000],
  )
  await expect(client.sendDirectMessage({ body })).rejects.toMatchObject({ code: 'rate_limited' })
  await service.runJobs()
  expect(await pendingJobs(service, t.wallet)).toEqual([])
  await service.ctx.db.query('update conversations set last_ms = $2 where $1 in (a, b)', [alice, Date.now()])
  for (let i = 0; i < 2; i++) await client.sendDirectMessage({ body }, { idempotencyKey: 'k' })
  await service.runJobs()
  expect(t.mails()).toHaveLength(1)
})

test('the daily summary lists what is unread in messages and joined chats, for wallets that want it and have something unread', async () => {
  const t = await reader({ notify24: 'true' })
  const idle = await reader({ notify24: 'true' })
  const unasked = await reader({ notifydm: 'true' })
  const [alice, bob] = [newWallet(), newWallet()]
  const asAlice = await service.as(alice)
  await asAlice.setName({ body: { name: '<i>Alice & Co</i>' } })
  const nft = `0x${'ab'.repeat(20)}`
  const post = async (from: string, nftaddr: string) =>
    (await service.as(from)).postGroupMessage({
      body: { fromaddr: from, nftaddr, message: 'the secret plan' },
    })
  const join = (nftaddr: string) => t.client.joinChat({ body: { walletaddr: t.wallet, nftaddr } })
  await storeCommunity(service.ctx, alice, 'www.evil.example')
  await asAlice.createCommunity({ body: { community: 'silence' } })
  await asAlice.createCommunity({ body: { community: 'elsewhere' } })
  for (const chat of ['www.evil.example', nft, 'silence']) await join(chat)
  for (const chat of ['www.evil.example', 'www.evil.example', nft, 'silence', 'elsewhere'])
    await post(alice, chat)
  await post(t.wallet, nft)
  await t.client.listGroupMessages({ address: 'silence', useraddress: t.wallet })
  await write(alice, t.wallet, 'the secret plan')
  await write(alice, t.wallet, 'the secret plan')
  await write(bob, t.wallet, 'the secret plan')

  await enqueue(service.ctx.db, 'send-daily-summaries', { _cron: { ts: '2026-11-20T08:00:00Z' } })
  await service.runJobs()
  expect([idle.mails(), unasked.mails()]).toEqual([[], []])
  const [received, ...more] = t.mails()
  expect(more).toEqual([])
  const { mail } = received!
  expect(mail.subject).toBe('Unread messages on chat.example.org')
  const plain = mail.text!.replaceAll('\u2060', '')
  expect(plain).toContain(`Direct messages\n- ${short(alice)} “<i>Alice & Co</i>”: 2\n- ${short(bob)}: 1\n\n`)
  expect(plain).toContain(`Chats\n- www.evil.example: 2\n- ${short(nft)}: 1\n\n`)
  expect(`${mail.text} ${mail.html}`).not.toMatch(/evil\.example|silence|elsewhere|secret/)
  expect(mail.html).toContain('&lt;i&gt;Alice &amp; Co&lt;/')
  expect(mail.html).not.toContain('<i>')
  for (const link of links(received!)) expect(link.startsWith(publicUrl)).toBe(true)
})

test.each([
  `"><a href='https://evil.test'>Bcc: eve@evil.test`,
  'Your account is locked, visit claim-parley.xyz',
  'Parley” is locked: visit evil.test',
])('a name cannot put anything into a mail but itself, and stands beside its address: %s', async (name) => {
  const t = await reader({ notifydm: 'true' })
  const alice = newWallet()
  await storeName(service.ctx, alice, name)
  await write(alice, t.wallet)
  await service.runJobs()
  const [received] = t.mails()
  expect(received!.recipients).toEqual([t.email])
  const headers = received!.raw.slice(0, received!.raw.indexOf('\r\n\r\n'))
  expect(received!.mail.subject).toBe('New message on chat.example.org')
  expect(headers).not.toMatch(/evil\.|locked|claim-|^bcc:/im)
  expect(headers).not.toContain(alice.slice(0, 6))
  expect(received!.mail.bcc).toBeUndefined()
  const [first] = received!.mail.text!.replaceAll('\u2060', '').split('\n')
  expect(first).toBe(
    `${short(alice)} “${name.replaceAll(/["”]/g, '')}” sent you a message you have not read yet.`,
  )
  expect(received!.mail.text).not.toMatch(/(evil|claim-parley)\.\w/)
  expect(received!.mail.html).not.toContain("<a href='")
  for (const link of links(received!)) expect(link.startsWith(publicUrl)).toBe(true)
})

test('a long summary names the ten with the most and counts the rest', async () => {
  const t = await reader({ notify24: 'true' })
  for (let i = 0; i < 12; i++) await write(newWallet(), t.wallet)
  await enqueue(service.ctx.db, 'send-daily-summary', { walletaddr: t.wallet })
  await service.runJobs()
  const [received] = t.mails()
  expect(received!.mail.text!.match(/^- /gm)).toHaveLength(11)
  expect(received!.mail.text).toContain('- and 2 more\n')
})

test('a mail server that is down and comes back gets every mail once, with what came meanwhile', async () => {
  const first = await startSmtp()
  const { port } = first
  await first[Symbol.asyncDispose]()
  await using lonely = await startService({ ...settings, smtpUrl: `smtp://127.0.0.1:${port}` })
  const readers = [await reader({ notifydm: 'true' }, lonely), await reader({ notifydm: 'true' }, lonely)]
  const [alice, bob] = [newWallet(), newWallet()]
  for (const { wallet } of readers) await write(alice, wallet, 'gm', lonely)
  await lonely.runJobs()
  for (const { wallet } of readers) expect(await pendingJobs(lonely, wallet)).toMatchObject([{ attempts: 1 }])
  await write(bob, readers[1]!.wallet, 'gm', lonely)

  await using back = await startSmtp({ port })
  back.refuse(451, 'try again later')
  const again = async () => {
    await lonely.ctx.db.query(`update graphile_worker._private_jobs set run_at = now()`)
    await lonely.runJobs()
  }
  await again()
  expect(back.inbox).toEqual([])
  back.accept()
  await again()
  const notices = readers.map(({ email }) =>
    back.inbox
      .filter(({ recipients }) => recipients.includes(email))
      .map(({ mail }) => mail.text!.split('\n')[0]),
  )
  expect(notices).toEqual([
    [`${short(alice)} sent you a message you have not read yet.`],
    ['There are new messages from 2 people.'],
  ])
  for (const { wallet } of readers) expect(await pendingJobs(lonely, wallet)).toEqual([])
})

test('a mail that is refused for good is given up and counted, and so is one that failed too often', async () => {
  await using strict = await startSmtp()
  await using lonely = await startService({ ...settings, smtpUrl: strict.url })
  const t = await reader({ notifydm: 'true' }, lonely)
  const given = async () =>
    (await jobsGivenUp.get()).values.find(({ labels }) => labels.task === 'send-dm-mail')?.value ?? 0
  const before = await given()
  strict.refuse(550, `5.1.1 <${t.email}> does not exist`)
  await write(newWallet(), t.wallet, 'gm', lonely)
  await lonely.runJobs()
  expect(await pendingJobs(lonely, t.wallet)).toEqual([])
  expect((await given()) - before).toBe(1)

  const other = await reader({ notifydm: 'true' }, lonely)
  strict.refuse(450, `<${other.email}> is busy`)
  await write(newWallet(), other.wallet, 'gm', lonely)
  for (let attempt = 1; attempt < 12; attempt++) {
    await lonely.runJobs()
    const [job] = await pendingJobs(lonely, other.wallet)
    expect(job).toMatchObject({ attempts: attempt, last_error: expect.stringContaining('r***@example.org') })
    expect(job!.last_error).not.toContain(other.email)
    await lonely.ctx.db.query(`update graphile_worker._private_jobs set run_at = now()`)
  }
  await lonely.runJobs()
  expect(await pendingJobs(lonely, other.wallet)).toEqual([])
  expect((await given()) - before).toBe(2)
})

test('a mail that is tried again has the same Message-ID', async () => {
  const t = await reader({ notifydm: 'true' })
  await write(newWallet(), t.wallet)
  const { db } = service.ctx
  await followAll(db)
  const [job] = await db.query<{ id: number; payload: object }>(
    `select id, payload from graphile_worker._private_jobs where payload->>'toaddr' = $1`,
    [t.wallet],
  )
  await db.query(`create table saved_job as select * from graphile_worker._private_jobs where id = $1`, [
    job!.id,
  ])
  await service.runJobs()
  // This is the state when the machine has stopped after the mail was sent, and before that was recorded.
  const columns = await db.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ',') as columns from pg_attribute
     where attrelid = 'graphile_worker._private_jobs'::regclass and attnum > 0 and attgenerated = '' and not attisdropped`,
  )
  await db.query(
    `insert into graphile_worker._private_jobs (${columns[0]!.columns}) overriding system value select ${columns[0]!.columns} from saved_job`,
  )
  await db.query('drop table saved_job')
  await db.query('update dm_mails set notified_id = 0 where toaddr = $1', [t.wallet])
  await service.runJobs()
  const ids = t.mails().map((received) => header(received, 'message-id'))
  expect(ids).toEqual([ids[0], ids[0]])
})

test('the encryption a mail server offers is used, and a certificate that is not good is not accepted', async () => {
  await using secure = await startSmtp({ tls: true })
  await using trusting = await startService({
    ...settings,
    smtpUrl: `${secure.url}/?tls.rejectUnauthorized=false`,
  })
  const t = await reader({ notifydm: 'true' }, trusting)
  await write(newWallet(), t.wallet, 'gm', trusting)
  await trusting.runJobs()
  expect(secure.inbox.map(({ secure: encrypted }) => encrypted)).toEqual([true])

  await using careful = await startService({ ...settings, smtpUrl: secure.url })
  const other = await reader({ notifydm: 'true' }, careful)
  await write(newWallet(), other.wallet, 'gm', careful)
  await careful.runJobs()
  expect(secure.inbox).toHaveLength(1)
  expect(await pendingJobs(careful, other.wallet)).toMatchObject([{ attempts: 1 }])
})
