import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueue } from '../../jobs/queue.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import { header, type Received, startSmtp } from '../../../../testing/outside/smtp.ts'

const adminApiKey = 'an-admin-key-that-is-long-enough-to-be-one'
const publicUrl = 'https://chat.example.org'

let smtp: Awaited<ReturnType<typeof startSmtp>>
beforeAll(async () => void (smtp = await startSmtp()))
afterAll(() => smtp[Symbol.asyncDispose]())
const service = useService(() => ({ adminApiKey, publicUrl, smtpUrl: smtp.url }))

const update = (body: object) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/update_settings',
    headers: { authorization: `Bearer ${adminApiKey}` },
    payload: body,
  })

/** Makes a wallet that has got a mail about a message, and the link that stops more of these. */
async function reader(email: string) {
  const wallet = newWallet()
  await update({ walletaddr: wallet, email, notifydm: 'true', notify24: 'true' })
  const client = await service.as(wallet)
  await write(wallet)
  await service.runJobs()
  const received = mailsTo(email)[0]!
  const url = header(received, 'list-unsubscribe')!.slice(1, -1)
  expect(url.startsWith(`${publicUrl}/v1/unsubscribe/`)).toBe(true)
  return {
    wallet,
    received,
    link: url.slice(publicUrl.length),
    read: async () => (await client.getSettings({ address: wallet }))[0],
  }
}

async function write(toaddr: string) {
  const fromaddr = newWallet()
  const client = await service.as(fromaddr)
  await client.sendDirectMessage({ body: { fromaddr, toaddr, message: 'gm' } })
}

const mailsTo = (email: string): Received[] =>
  smtp.inbox.filter(({ recipients }) => recipients.includes(email))

const post = (
  url: string,
  contentType = 'application/x-www-form-urlencoded',
  payload = 'List-Unsubscribe=One-Click',
) => service.app.inject({ method: 'POST', url, headers: { 'content-type': contentType }, payload })

test('one POST stops that kind of mail and no other, at once and as often as one likes', async () => {
  const email = 'one-click@example.org'
  const t = await reader(email)
  expect(t.received.mail.text).toContain(`Stop these mails: ${publicUrl}${t.link}`)
  expect(t.received.mail.html).toContain(`href="${publicUrl}${t.link}"`)
  const form = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
  expect((await post(t.link)).statusCode).toBe(200)
  expect(await t.read()).toMatchObject({ notifydm: 'false', notify24: 'true', verified: 'true' })
  expect((await post(t.link, 'multipart/form-data; boundary=x', form)).statusCode).toBe(200)
  await write(t.wallet)
  await service.runJobs()
  expect(mailsTo(email)).toHaveLength(1)
})

test('opening the link stops nothing; its page has a button that does', async () => {
  const t = await reader('page@example.org')
  for (const method of ['GET', 'HEAD'] as const) {
    const page = await service.app.inject({ method, url: t.link })
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(page.headers['cache-control']).toBe('no-store')
    if (method === 'GET') expect(page.body).toContain('<form method="post"><button>')
  }
  expect(await t.read()).toMatchObject({ notifydm: 'true' })
  expect((await post(t.link, undefined, '')).statusCode).toBe(200)
  expect(await t.read()).toMatchObject({ notifydm: 'false' })
})

test('the daily summary has a link of its own', async () => {
  const email = 'daily@example.org'
  const t = await reader(email)
  await enqueue(service.ctx.db, 'send-daily-summaries', {})
  await service.runJobs()
  const summary = mailsTo(email).find(({ mail }) => String(mail.subject).startsWith('Unread'))!
  await post(header(summary, 'list-unsubscribe')!.slice(1, -1).slice(publicUrl.length))
  expect(await t.read()).toMatchObject({ notifydm: 'true', notify24: 'false' })
})

test('a link is good for its wallet, kind and address alone', async () => {
  const t = await reader('mine@example.org')
  const other = await reader('other@example.org')
  const [subject, signature] = t.link.split('/').at(-1)!.split('.')
  const [otherSubject] = other.link.split('/').at(-1)!.split('.')
  const asDaily = Buffer.from(`notify24 ${t.wallet}`).toString('base64url')
  const forged = [
    `${otherSubject}.${signature}`,
    `${asDaily}.${signature}`,
    `${subject}.`,
    `${subject}.AAAA`,
    `${subject}`,
    '%00.%00',
    'YQ.YQ',
  ]
  for (const token of forged) {
    const answer = await post(`/v1/unsubscribe/${token}`)
    expect([token, answer.statusCode]).toEqual([token, 404])
  }
  await update({ walletaddr: t.wallet, email: 'new@example.org' })
  expect((await post(t.link)).statusCode).toBe(404)
  expect(await t.read()).toMatchObject({ notifydm: 'true', notify24: 'true' })
  expect(await other.read()).toMatchObject({ notifydm: 'true', notify24: 'true' })
})
