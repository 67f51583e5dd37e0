import { expect, test } from 'vitest'
import { pushSubject } from './push-subject.ts'

const subject = (publicUrl: string, address: string) => pushSubject({ publicUrl, mailFrom: { address } })

test.each([
  'localhost',
  'chat',
  'chat.local',
  'chat.localhost',
  'chat.invalid',
  'chat.test',
  'chat.example',
  'chat.internal',
  'chat.lan',
  'chat.home.arpa',
  'chat.corp',
  'Chat.INVALID',
  'chat.invalid.',
  '127.0.0.1',
  '203.0.113.7',
  '[::1]',
  '[2001:db8::1]',
  'chat.123',
  'chat..org',
  '',
])('a contact at %j is none, as a site and as a mail address', (host) => {
  expect(subject('http://127.0.0.1:8080', `no-reply@${host}`)).toBeUndefined()
  expect(subject(`https://${host}`, 'no-reply@localhost')).toBeUndefined()
  expect(subject(`https://${host}`, 'no-reply@chat.example.org')).toBe('mailto:no-reply@chat.example.org')
})

test('a contact that all of the internet may know is taken', () => {
  expect(subject('https://chat.example.org', 'no-reply@localhost')).toBe('https://chat.example.org')
  expect(subject('https://chat.example.org:8443', 'no-reply@localhost')).toBe('https://chat.example.org:8443')
  expect(subject('http://chat.example.org', 'no-reply@mail.example.org')).toBe(
    'mailto:no-reply@mail.example.org',
  )
  expect(subject('http://127.0.0.1', 'no-reply@bücher.example.org')).toBe(
    'mailto:no-reply@xn--bcher-kva.example.org',
  )
  expect(subject('https://xn--bcher-kva.xn--p1ai', 'no-reply@localhost')).toBe(
    'https://xn--bcher-kva.xn--p1ai',
  )
})
