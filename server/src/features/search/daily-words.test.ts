import { expect, test } from 'vitest'
import { newWallet } from '../../../../testing/service/service.ts'
import { day } from '../../lib/times.ts'
import { dailyWords } from './daily-words.ts'

test('of what a wallet writes in a day two million words are indexed, and on the next day again', () => {
  const [fromaddr, other] = [newWallet(), newWallet()]
  const ms = Date.UTC(2026, 10, 20, 12)
  for (let n = 0; n < 1000; n++) expect(dailyWords.take({ fromaddr, ms }, 2000)).toBe(true)
  expect(dailyWords.take({ fromaddr, ms: ms + 1000 }, 1)).toBe(false)
  expect(dailyWords.take({ fromaddr: other, ms }, 2000)).toBe(true)
  expect(dailyWords.take({ fromaddr, ms: ms + day }, 2000)).toBe(true)
})
