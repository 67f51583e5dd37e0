import { expect, test } from 'vitest'
import { newMigratedDatabase } from '../../../testing/database.ts'
import { mayNotify } from './consent.ts'
import { type Channel, type Decision, decide, defaults as chosen, type Facts, silenceOf } from './telling.ts'
import { endOfQuiet, isTimeZone } from './quiet-hours.ts'

const facts: Facts = { state: 1, blocked: false, muted: false, takesAll: false, unread: 1 }
const defaults = { ...chosen, banned: false }
const noon = Date.parse('2026-06-01T12:00:00Z')
const night = { ...defaults, quiet: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '07:00' }] }

const wantsRequests = { ...defaults, push: { dm: true, requests: true } }
const wantsNoMessages = { ...defaults, push: { dm: false, requests: true } }
const never = (because: (Decision & { tell: 'never' })['because']) => ({ tell: 'never', because }) as const
const now = { tell: 'now' } as const

test.each<[string, Partial<Facts>, typeof defaults, Channel, Decision]>([
  ['an accepted wallet', {}, defaults, 'push', now],
  ['an accepted wallet', {}, defaults, 'mail', now],
  ['what was read meanwhile', { unread: 0 }, defaults, 'push', never('read')],
  ['what was read meanwhile', { unread: 0 }, defaults, 'mail', never('read')],
  ['a blocked wallet', { blocked: true }, wantsRequests, 'push', never('blocked')],
  ['a blocked wallet', { blocked: true }, defaults, 'mail', never('blocked')],
  ['an ignored wallet', { state: 2 }, wantsRequests, 'push', never('ignored')],
  ['an ignored wallet that may write', { state: 2, takesAll: true }, defaults, 'mail', never('ignored')],
  ['a muted wallet', { muted: true }, wantsRequests, 'push', never('muted')],
  ['a muted wallet', { muted: true }, defaults, 'mail', never('muted')],
  ['a stranger', { state: 0 }, defaults, 'push', never('not wanted')],
  ['a stranger', { state: 0 }, defaults, 'mail', never('not wanted')],
  ['a stranger, where requests are wanted', { state: 0 }, wantsRequests, 'push', now],
  [
    'a stranger, where requests are wanted as pushes',
    { state: 0 },
    wantsRequests,
    'mail',
    never('not wanted'),
  ],
  ['a stranger, where everyone may write', { state: 0, takesAll: true }, defaults, 'push', now],
  ['a stranger, where everyone may write', { state: 0, takesAll: true }, defaults, 'mail', now],
  ['an accepted wallet, where messages are not wanted', {}, wantsNoMessages, 'push', never('not wanted')],
  ['an accepted wallet, where messages are not wanted as pushes', {}, wantsNoMessages, 'mail', now],
])('%s: %j by %s', (_, given, rules, channel, decision) => {
  expect(decide({ ...facts, ...given }, rules, channel, noon)).toEqual(decision)
})

test.each([
  ['an accepted wallet', {}, undefined],
  ['a stranger', { state: 0 }, undefined],
  ['an ignored wallet', { state: 2 }, 'ignored'],
  ['a blocked wallet', { blocked: true }, 'blocked'],
  ['a muted wallet', { muted: true }, 'muted'],
] as const)('no channel, nor a program, is told of what is silenced: %s', (_, given, silence) => {
  expect(silenceOf({ ...facts, ...given }, defaults)).toBe(silence)
  expect(silenceOf({ ...facts, ...given }, { banned: true })).toBe('banned')
  if (silence)
    for (const channel of ['mail', 'push'] as const)
      expect(decide({ ...facts, ...given }, wantsRequests, channel, noon)).toEqual(never(silence))
})

test('quiet hours hold what comes until their end, or drop it', () => {
  const midnight = Date.parse('2026-06-01T00:30:00Z')
  expect(decide(facts, night, 'push', midnight)).toEqual({
    tell: 'at',
    at: Date.parse('2026-06-01T07:00:00Z'),
  })
  expect(decide(facts, { ...night, hold: false }, 'mail', midnight)).toEqual(never('quiet hours'))
  expect(decide({ ...facts, blocked: true }, night, 'push', midnight)).toEqual(never('blocked'))
  expect(decide(facts, night, 'push', noon)).toEqual(now)
  for (const at of [noon, midnight])
    expect(decide(facts, { ...night, banned: true }, 'push', at)).toEqual(never('banned'))
})

const berlin = (quiet: typeof night.quiet) => ({ tz: 'Europe/Berlin', quiet })
const week = [1, 2, 3, 4, 5, 6, 7]

test.each([
  // In the night to 29 March 2026 the clock goes from 2:00 to 3:00: seven in the morning is 5:00 UTC, and was 6:00.
  ['the evening before', '2026-03-28T20:59:59Z', '22:00', '07:00', undefined],
  ['a night that is an hour shorter', '2026-03-28T21:00:00Z', '22:00', '07:00', '2026-03-29T05:00:00Z'],
  ['the night after', '2026-03-29T20:00:00Z', '22:00', '07:00', '2026-03-30T05:00:00Z'],
  ['an end that the clock leaves out', '2026-03-28T23:30:00Z', '00:00', '02:30', '2026-03-29T01:30:00Z'],
  // In the night to 25 October it goes from 3:00 back to 2:00.
  ['a night that is an hour longer', '2026-10-24T20:00:00Z', '22:00', '07:00', '2026-10-25T06:00:00Z'],
  ['within the hour that comes twice', '2026-10-25T00:30:00Z', '22:00', '07:00', '2026-10-25T06:00:00Z'],
  ['its last minute', '2026-10-25T05:59:59Z', '22:00', '07:00', '2026-10-25T06:00:00Z'],
  ['its end', '2026-10-25T06:00:00Z', '22:00', '07:00', undefined],
  ['a whole day, and the next one', '2026-06-01T10:00:00Z', '12:00', '12:00', '2026-06-08T10:00:00Z'],
])('%s', (_, at, from, to, end) => {
  const found = endOfQuiet(berlin([{ days: week, from, to }]), Date.parse(at))
  if (from === to) expect(found).toBeGreaterThan(Date.parse(at) + 6 * 86_400_000)
  else expect(found && new Date(found).toISOString().replace('.000', '')).toBe(end)
})

test('only the days that were chosen are quiet, and hours that touch are one', () => {
  const saturday = [{ days: [6], from: '20:00', to: '10:00' }]
  const at = (time: string, quiet = saturday) => endOfQuiet(berlin(quiet), Date.parse(time))
  expect(at('2026-06-06T18:00:00Z')).toBe(Date.parse('2026-06-07T08:00:00Z'))
  // Sunday morning belongs to the night of Saturday; Sunday evening to none.
  expect(at('2026-06-07T07:59:00Z')).toBe(Date.parse('2026-06-07T08:00:00Z'))
  expect(at('2026-06-07T18:00:00Z')).toBeUndefined()
  const both = [...saturday, { days: [7], from: '10:00', to: '12:00' }]
  expect(at('2026-06-06T18:00:00Z', both)).toBe(Date.parse('2026-06-07T10:00:00Z'))
})

test('time zones are names', () => {
  expect(['Europe/Berlin', 'UTC', 'Asia/Kolkata'].every(isTimeZone)).toBe(true)
  expect(['', 'Europe/Nowhere', '+01:00', '1', 'x'.repeat(64)].some(isTimeZone)).toBe(false)
})

test('the part about consent is the same as SQL', async () => {
  await using t = await newMigratedDatabase()
  const side = { state: '$1::smallint', blocked: '$2::boolean', peer: '$3::text' }
  const sql = `with muted (peer) as (select 'x' where $4::boolean) select ${mayNotify(side, '$5::boolean')} as tells`
  for (const state of [0, 1, 2])
    for (const blocked of [false, true])
      for (const muted of [false, true])
        for (const takesAll of [false, true]) {
          const [row] = await t.db.query<{ tells: boolean }>(sql, [state, blocked, 'x', muted, takesAll])
          const { tell } = decide({ ...facts, state, blocked, muted, takesAll }, defaults, 'mail', noon)
          if (silenceOf({ state, blocked, muted }, defaults)) expect(tell).toBe('never')
          expect(row!.tells, JSON.stringify({ state, blocked, muted, takesAll })).toBe(tell === 'now')
        }
})
