import { expect, test } from 'vitest'
import { newMigratedDatabase } from '../../../testing/service/database.ts'
import { isHeard, mayNotify } from './consent.ts'
import {
  type ChatFacts,
  type ConversationFacts,
  decide,
  defaults as chosen,
  everything,
  type Facts,
  type MembersFacts,
  type Means,
  type ReactionFacts,
  type Recipient,
} from './notification-policy.ts'
import { endOfQuiet, isTimeZone } from './quiet-hours.ts'

const dm: ConversationFacts = {
  about: 'conversation',
  state: 1,
  blocked: false,
  muted: false,
  takesAll: false,
  unread: 1,
}
const stranger = { ...dm, state: 0 }
const post: ChatFacts = {
  about: 'chat',
  joined: true,
  muted: false,
  blocked: false,
  closed: false,
  unread: 1,
  mentioned: false,
  everyPost: false,
}
const mention = { ...post, mentioned: true }
const reaction: ReactionFacts = { about: 'reaction', reactors: 1, joined: true, muted: false, closed: false }
const join: MembersFacts = { about: 'members', moderates: true, closed: false }

const defaults: Recipient = { ...chosen, banned: false }
const of = (push: Recipient['push']): Recipient => ({ ...defaults, push })
const wantsRequests = of({ dm: true, requests: true })
const wantsNoMessages = of({ dm: false, requests: true })
const wantsNoChats = of({ dm: true, requests: false, mentions: false, chats: false })
const wantsReactions = of({ dm: true, requests: false, reactions: true })
const all = [1, 2, 3, 4, 5, 6, 7]
const night: Recipient = { ...defaults, quiet: [{ days: all, from: '22:00', to: '07:00' }] }

const noon = Date.parse('2026-06-01T12:00:00Z')
const midnight = Date.parse('2026-06-01T00:30:00Z')
const morning = Date.parse('2026-06-01T07:00:00Z')
const means: Means[] = ['push', 'mail', 'summary', 'webhook']

/** Returns what each of `means` does: notify now, at the end of the quiet hours, or never for a reason. */
const outcomes = (facts: Facts, recipient: Recipient, now: number) =>
  means.map((by) => {
    const decision = decide(facts, recipient, by, now)
    if (decision.notify === 'later') expect(decision.at).toBe(morning)
    return decision.notify === 'never' ? decision.because : decision.notify
  })

const every = (outcome: string) => Array.from(means, () => outcome)
const no = 'not wanted'

test.each<[string, Facts, Recipient, outcomes: string[]]>([
  ['an accepted wallet', dm, defaults, every('now')],
  [
    'an accepted wallet, where pushes of messages are not wanted',
    dm,
    wantsNoMessages,
    [no, 'now', 'now', 'now'],
  ],
  ['what was read meanwhile', { ...dm, unread: 0 }, defaults, every('read')],
  ['a blocked wallet', { ...dm, blocked: true }, wantsRequests, every('blocked')],
  ['an ignored wallet', { ...dm, state: 2 }, wantsRequests, every('ignored')],
  [
    'an ignored wallet, where everyone may write',
    { ...dm, state: 2, takesAll: true },
    defaults,
    every('ignored'),
  ],
  ['a muted wallet', { ...dm, muted: true }, wantsRequests, every('muted')],
  ['a stranger', stranger, defaults, [no, no, no, 'now']],
  ['a stranger, where pushes of requests are wanted', stranger, wantsRequests, ['now', no, no, 'now']],
  ['a stranger, where everyone may write', { ...stranger, takesAll: true }, defaults, every('now')],
  ['a stranger that is blocked', { ...stranger, blocked: true }, wantsRequests, every('blocked')],
  ['a stranger that is muted', { ...stranger, muted: true }, wantsRequests, every('muted')],
  ['a mention', mention, defaults, ['now', no, 'now', 'now']],
  ['a mention, where pushes of mentions are not wanted', mention, wantsNoChats, [no, no, 'now', 'now']],
  ['a post', post, defaults, [no, no, 'now', 'now']],
  ['a post, where every post is wanted', { ...post, everyPost: true }, defaults, ['now', no, 'now', 'now']],
  [
    'a post, where pushes of chats are not',
    { ...post, everyPost: true },
    wantsNoChats,
    [no, no, 'now', 'now'],
  ],
  ['a post that was read meanwhile', { ...mention, unread: 0 }, defaults, every('read')],
  ['a post of a blocked wallet', { ...mention, blocked: true }, defaults, every('blocked')],
  ['a chat that the wallet has left', { ...mention, joined: false }, defaults, every('left')],
  ['a muted chat', { ...mention, muted: true }, defaults, every('muted')],
  ['a chat that the wallet may not read', { ...mention, closed: true }, defaults, every('closed')],
  ['a reaction', reaction, defaults, every(no)],
  ['a reaction, where pushes of reactions are wanted', reaction, wantsReactions, ['now', no, no, no]],
  ['a reaction that was taken back', { ...reaction, reactors: 0 }, wantsReactions, every('taken back')],
  [
    'a reaction in a chat that the wallet has left',
    { ...reaction, joined: false },
    wantsReactions,
    every('left'),
  ],
  ['a reaction in a muted chat', { ...reaction, muted: true }, wantsReactions, every('muted')],
  [
    'a reaction in a chat that the wallet may not read',
    { ...reaction, closed: true },
    wantsReactions,
    every('closed'),
  ],
  ['a new member', join, defaults, every('now')],
  ['a new member, for who is no moderator', { ...join, moderates: false }, defaults, every('no moderator')],
  ['a new member of a closed chat', { ...join, closed: true }, defaults, every('closed')],
  ['all together', everything, defaults, every('now')],
])('%s', (_, facts, recipient, expected) => {
  expect(outcomes(facts, recipient, noon)).toEqual(expected)
  for (const at of [noon, midnight])
    expect(outcomes(facts, { ...recipient, ...night, banned: true }, at)).toEqual(every('banned'))
  // Pushes and mails that would be sent wait for the end of quiet hours.
  const byNight = (outcome: string) =>
    expected.map((one, n) => (one === 'now' && n < means.indexOf('summary') ? outcome : one))
  const { quiet } = night
  expect(outcomes(facts, { ...recipient, quiet }, noon)).toEqual(expected)
  expect(outcomes(facts, { ...recipient, quiet }, midnight)).toEqual(byNight('later'))
  expect(outcomes(facts, { ...recipient, quiet, hold: false }, midnight)).toEqual(byNight('quiet hours'))
})

const berlin = (quiet: typeof night.quiet) => ({ tz: 'Europe/Berlin', quiet })

test.each([
  // In the night to 29 March 2026 the clock goes from 2:00 to 3:00: seven in the morning is 5:00 UTC, and was 6:00.
  ['the evening before', '2026-03-28T20:59:59Z', '22:00', '07:00', undefined],
  ['a night that is an hour shorter', '2026-03-28T21:00:00Z', '22:00', '07:00', '2026-03-29T05:00:00Z'],
  ['the night after', '2026-03-29T20:00:00Z', '22:00', '07:00', '2026-03-30T05:00:00Z'],
  ['an end that the clock leaves out', '2026-03-28T23:30:00Z', '00:00', '02:30', '2026-03-29T01:30:00Z'],
  // In the night to 25 October the clock goes from 3:00 back to 2:00.
  ['a night that is an hour longer', '2026-10-24T20:00:00Z', '22:00', '07:00', '2026-10-25T06:00:00Z'],
  ['within the hour that comes twice', '2026-10-25T00:30:00Z', '22:00', '07:00', '2026-10-25T06:00:00Z'],
  ['its last minute', '2026-10-25T05:59:59Z', '22:00', '07:00', '2026-10-25T06:00:00Z'],
  ['its end', '2026-10-25T06:00:00Z', '22:00', '07:00', undefined],
  ['a whole day, and the next one', '2026-06-01T10:00:00Z', '12:00', '12:00', '2026-06-08T10:00:00Z'],
])('%s', (_, at, from, to, end) => {
  const found = endOfQuiet(berlin([{ days: all, from, to }]), Date.parse(at))
  if (from === to) expect(found).toBeGreaterThan(Date.parse(at) + 6 * 86_400_000)
  else expect(found && new Date(found).toISOString().replace('.000', '')).toBe(end)
})

test('only the days that were chosen are quiet, and hours that touch are one', () => {
  const saturday = [{ days: [6], from: '20:00', to: '10:00' }]
  const at = (time: string, quiet = saturday) => endOfQuiet(berlin(quiet), Date.parse(time))
  expect(at('2026-06-06T18:00:00Z')).toBe(Date.parse('2026-06-07T08:00:00Z'))
  // Sunday morning belongs to the night of Saturday; Sunday evening belongs to none.
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
  const side = { state: '$1::smallint', blocked: '$2::boolean' }
  const counts = mayNotify({ ...side, peer: '$3::text' }, '$5::boolean')
  const sql = `with muted (peer) as (select 'x' where $4::boolean) select ${counts} as counts, ${isHeard(side)} as heard`
  for (const state of [0, 1, 2])
    for (const blocked of [false, true])
      for (const muted of [false, true])
        for (const takesAll of [false, true]) {
          const facts = { ...dm, state, blocked, muted, takesAll }
          const [row] = await t.db.query(sql, [state, blocked, 'x', muted, takesAll])
          expect(row, JSON.stringify(facts)).toEqual({
            counts: decide(facts, defaults, 'summary', noon).notify === 'now',
            // The selection for webhooks leaves only the check for mutes to the delivery.
            heard: decide({ ...facts, muted: false }, defaults, 'webhook', noon).notify === 'now',
          })
        }
})
