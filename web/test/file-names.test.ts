import { expect, test } from 'vitest'
import {
  endingOf,
  factsOf,
  hasTwoEndings,
  lengthText,
  mayRun,
  nameToSave,
  partsOfName,
} from '../src/files/names.ts'

const type = 'application/octet-stream'

test('the ending of a name is always shown, whatever stands before it', () => {
  expect(partsOfName('garden.png')).toEqual(['garden', '.png'])
  expect(partsOfName('README')).toEqual(['README', ''])
  expect(partsOfName('Minutes of the meeting 2026.pdf')).toEqual(['Minutes of the meetin', 'g 2026.pdf'])
  expect(partsOfName('Minutes of the day of March.pdf')).toEqual(['Minutes of the day of ', 'March.pdf'])
  // A character that turns the direction would show "harmless_exe.png".
  expect(partsOfName('harmless_\u202Egnp.exe')).toEqual(['harmless_gnp', '.exe'])
  expect(partsOfName('קובץ.exe').at(-1)).toBe('.exe')
})

test.each([
  ['a.exe', true],
  ['a.EXE', true],
  // Windows ignores what follows.
  ['a.exe. .', true],
  ['holiday.jpg.scr', true],
  ['logo.svg', true],
  ['report.docm', true],
  ['report.docx', false],
  ['song.mp3', false],
  ['exe', false],
])('%s runs programs: %s', (name, runs) => expect(mayRun({ name, type })).toBe(runs))

test('a type says it too, when the name does not', () => {
  expect(mayRun({ name: 'page', type: 'text/html' })).toBe(true)
  expect(mayRun({ name: 'photo.jpg', type: 'image/svg+xml' })).toBe(true)
  expect(mayRun({ name: 'photo.jpg', type: 'image/jpeg' })).toBe(false)
})

test('two endings are noticed, and full stops within a name are none', () => {
  for (const name of ['a.pdf.exe', 'a.jpg .scr', 'a.docx.lnk']) expect(hasTwoEndings(name)).toBe(true)
  for (const name of ['a.exe', 'v1.2.tar.gz', 'Dr. Who.pdf']) expect(hasTwoEndings(name)).toBe(false)
})

test('a file is saved under its name without what nobody sees', () => {
  expect(nameToSave({ name: 'a\u200B.txt', type })).toBe('a.txt')
  expect(nameToSave({ name: '...', type })).toBe('file')
  expect(endingOf('.profile')).toBe('')
})

test('what is said of a file is short', () => {
  expect(factsOf({ name: 'a.pdf', size: 2_400_000 })).toBe('PDF · 2.3 MB')
  expect([7, 750, 3725].map(lengthText)).toEqual(['0:07', '12:30', '1:02:05'])
})
