import { expect, test } from 'vitest'
import { teamAlarm } from '../src/contacts/warnings.ts'

const writer = {
  title: 'Eve',
  ownName: 'Eve',
  isOfficial: false,
  team: { host: 'chat.night-market.example', words: [] },
}

test.each([
  'Official support.pdf',
  'Admin notice.docx',
  'night-market-support.pdf',
  'ѕuрроrt.pdf',
  'seed phrase.txt',
  'Verify your wallet.html',
])('a stranger who sends %s is not on the team', (name) => {
  expect(teamAlarm([''], [name], writer)).toContain('not on the team of chat.night-market.example')
  expect(teamAlarm([''], [name], { ...writer, isOfficial: true })).toBeUndefined()
})

test.each(['support-form.pdf', 'team_photo.jpg', 'night-market-map.pdf', 'invoice.pdf'])(
  'the name %s claims nothing',
  (name) => expect(teamAlarm(['here it is'], [name], writer)).toBeUndefined(),
)
