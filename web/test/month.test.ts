import { expect, test } from 'vitest'
import { addMonths, movedBy, weeksOf } from '../src/search/month.ts'

const day = (text: string) => new Date(`${text}T12:00`)
const textOf = (date: Date | undefined) => date?.toLocaleDateString('sv')

test('a month has whole weeks, from the first day of the week of the reader', () => {
  const fromMonday = weeksOf(day('2026-11-18'), 1)
  expect(fromMonday.map((week) => textOf(week[0]))).toEqual([
    '2026-10-26',
    '2026-11-02',
    '2026-11-09',
    '2026-11-16',
    '2026-11-23',
    '2026-11-30',
  ])
  const fromSunday = weeksOf(day('2026-11-18'), 7)
  expect(textOf(fromSunday[0]![0])).toBe('2026-11-01')
  expect(fromSunday).toHaveLength(5)
  expect(weeksOf(day('2027-02-10'), 1)).toHaveLength(4)
})

test.each([
  ['ArrowLeft', false, '2026-11-17'],
  ['ArrowDown', false, '2026-11-25'],
  ['Home', false, '2026-11-16'],
  ['End', false, '2026-11-22'],
  ['PageUp', false, '2026-10-18'],
  ['PageDown', true, '2027-11-18'],
  ['Enter', false, undefined],
])('%s leads from a Wednesday to another day', (key, withShift, expected) => {
  expect(textOf(movedBy(key, day('2026-11-18'), 1, withShift))).toBe(expected)
})

test('a month that is shorter has its last day in place of the same one', () => {
  expect(textOf(addMonths(day('2027-01-31'), 1))).toBe('2027-02-28')
  expect(textOf(addMonths(day('2028-03-31'), -1))).toBe('2028-02-29')
})
