import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startSmtp } from '../../../testing/outside/smtp.ts'
import { readConfig } from '../config/settings.ts'
import { canonicalEmail } from '../values/email.ts'
import { type Mail, openMailer } from './mailer.ts'

const mail: Mail = {
  kind: 'verification',
  to: 'alice@example.org',
  subject: 'Hello',
  text: 'text',
  html: '<p>html</p>',
  id: 'id',
  link: 'https://chat.example.org/v1/verify_email/alice@example.org/code',
}

function logging() {
  const lines: string[] = []
  return { lines, log: pino({ level: 'info' }, { write: (line) => lines.push(line) }) }
}

test('without a mail server a mail is noted in the log: its link in development, never a whole address', async () => {
  for (const [env, shown] of [
    ['development', true],
    ['production', false],
  ] as const) {
    const { lines, log } = logging()
    await using mailer = await openMailer(readConfig({ NODE_ENV: env }), log)
    await mailer.send(mail)
    const [{ level, to, link }] = lines.map((line) => JSON.parse(line)) as [Record<string, unknown>]
    expect([level, to, link]).toEqual([30, 'a***@example.org', shown ? mail.link : undefined])
    if (!shown) expect(lines.join()).not.toMatch(/alice|code/)
  }
})

test('a mail has one recipient and one line per header, whatever is in it', async () => {
  await using smtp = await startSmtp()
  await using mailer = await openMailer(
    readConfig({ SMTP_URL: smtp.url, MAIL_FROM: 'P <p@example.org>' }),
    pino({ level: 'silent' }),
  )
  const injection = 'Hi\r\nBcc: eve@evil.example\r\n\r\n<script>'
  await mailer.send({ ...mail, subject: injection, id: 'a', to: 'jürgen@bücher.example' })
  const [received] = smtp.inbox
  expect(received!.recipients.map(canonicalEmail)).toEqual(['jürgen@xn--bcher-kva.example'])
  expect(received!.mail.subject).toBe('Hi  Bcc: eve@evil.example    <script>')
  expect([received!.mail.bcc, received!.mail.cc]).toEqual([undefined, undefined])
  for (const to of [
    'a@example.org, b@example.org',
    'a@example.org\r\nRCPT TO:<b@example.org>',
    'group: a@example.org;',
  ])
    await expect(mailer.send({ ...mail, to })).rejects.toMatchObject({ final: true })
  expect(smtp.inbox).toHaveLength(1)
})

test('a password is not sent to another machine without encryption', async () => {
  await using smtp = await startSmtp()
  const url = `smtp://user:password@localhost.localdomain:${smtp.port}`.replace(
    'localhost.localdomain',
    '127.1',
  )
  await using mailer = await openMailer(readConfig({ SMTP_URL: url }), pino({ level: 'silent' }))
  await expect(mailer.send(mail)).rejects.toThrow(/TLS/)
  expect(smtp.inbox).toEqual([])
})

test('settings that cannot work stop the start with what a right one looks like', () => {
  const wrong = () => readConfig({ SMTP_URL: 'mail.example.org', MAIL_FROM: 'nobody' })
  expect(wrong).toThrow(/SMTP_URL must be an address that starts with smtp:\/\/ or smtps:\/\//)
  expect(wrong).toThrow(/MAIL_FROM must be an e-mail address, such as .*Parley <no-reply@example\.org>/)
  for (const from of ['a@b.org, c@d.org', 'A\r\nBcc: x <a@b.org>', 'A "B" <a@b.org>', '<>'])
    expect(() => readConfig({ MAIL_FROM: from })).toThrow(/MAIL_FROM/)
  expect(readConfig({ MAIL_FROM: 'a@b.org' }).mailFrom).toEqual({ name: '', address: 'a@b.org' })
  expect(readConfig({ MAIL_FROM: 'Čat Talk <a@b.org>' }).mailFrom).toEqual({
    name: 'Čat Talk',
    address: 'a@b.org',
  })
  expect(readConfig({ PUBLIC_URL: 'https://chat.example.org' }).mailFrom.address).toBe(
    'no-reply@chat.example.org',
  )
  expect(readConfig({}).mailFrom.address).toBe('no-reply@localhost')
})
