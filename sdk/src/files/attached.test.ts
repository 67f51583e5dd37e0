import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AttachedFile, fileNameOf, fileTypeOf, readFiles } from './index.ts'

const b64 = (bytes: Uint8Array | number[]) => Buffer.from(bytes).toString('base64url')
const fileWith = (change: object = {}) => ({
  id: 'file-1',
  key: b64(Buffer.alloc(32, 1)),
  hash: b64(Buffer.alloc(32, 2)),
  name: 'report.pdf',
  type: 'application/pdf',
  size: 10,
  ...change,
})
const another = fileWith({ id: 'file-2', key: b64(Buffer.alloc(32, 9)) })
const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1]
const all: AttachedFile = fileWith({
  width: 640,
  height: 480,
  duration: 0,
  wave: b64([0, 255]),
  thumbhash: b64(Buffer.alloc(25)),
  preview: b64([...jpeg, ...Buffer.alloc(8 * 1024 - 12)]),
  alt: 'a table with three columns',
})

test('files are read with what is known of them, in their order, and what is not known is left out', () => {
  expect(readFiles(undefined)).toEqual({ files: [], unreadable: 0 })
  expect(readFiles([])).toEqual({ files: [], unreadable: 0 })
  expect(readFiles([{ ...all, shape: 'round', __proto__: { alt: 'x' } }, another])).toEqual({
    files: [all, another],
    unreadable: 0,
  })
  for (const picture of [
    [0x89, ...Buffer.from('PNG\r\n'), 0x1a, 0x0a, 0, 0, 0, 13],
    [...Buffer.from('RIFF'), 10, 13, 0, 0, ...Buffer.from('WEBP')],
  ])
    expect(readFiles([fileWith({ preview: b64(picture) })]).unreadable).toBe(0)
})

test('a member that is wrong makes its file unreadable, and no other one', () => {
  const wrong: object[] = [
    ...['', 'a b', '../x', 'a'.repeat(65), 7].map((id) => ({ id })),
    ...['key', 'hash'].flatMap((member) =>
      // The last one is another spelling of the same bytes.
      [
        undefined,
        '',
        b64(Buffer.alloc(31)),
        b64(Buffer.alloc(33)),
        `${b64(Buffer.alloc(32))}=`,
        `${'A'.repeat(42)}B`,
      ].map((value) => ({ [member]: value })),
    ),
    ...[
      '',
      ' a',
      'a ',
      '.',
      '..',
      'a/b',
      'a\\b',
      'a\nb',
      'a\0b',
      'photo\u202egpj.exe',
      'a\u200bb',
      '\ud800',
      5,
    ].map((name) => ({ name })),
    { name: 'ü'.repeat(128) },
    ...['', 'pdf', 'Image/png', 'text/html; charset=utf-8', `a/${'b'.repeat(126)}`, 'a/b/c'].map((type) => ({
      type,
    })),
    ...[-1, 1.5, '1', null, 2 ** 40 + 1, undefined].map((size) => ({ size })),
    { width: 1 },
    { height: 1 },
    { width: 0, height: 1 },
    { width: 1.5, height: 1 },
    { width: 100_001, height: 1 },
    ...[-1, 0.5, '2', 2 ** 31].map((duration) => ({ duration })),
    ...['', b64(Buffer.alloc(257)), '~~~', 5].map((wave) => ({ wave })),
    ...[b64(Buffer.alloc(4)), b64(Buffer.alloc(26))].map((thumbhash) => ({ thumbhash })),
    { preview: b64([...jpeg, ...Buffer.alloc(8 * 1024 - 11)]) },
    { preview: b64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">')) },
    { preview: b64(Buffer.from('GIF89a, and more')) },
    ...['', 'a'.repeat(1001), 'a\0', '\ud800', 5, null].map((alt) => ({ alt })),
  ]
  for (const change of wrong)
    expect(readFiles([fileWith(change), another]), JSON.stringify(change)).toEqual({
      files: [another],
      unreadable: 1,
    })
  for (const value of [null, 'file', 5, []])
    expect(readFiles([value, another])).toEqual({ files: [another], unreadable: 1 })
  for (const value of [null, 'files', { length: 1 }])
    expect(readFiles(value)).toEqual({ files: [], unreadable: 1 })
})

test('ten files are read, each with an id and a key of its own', () => {
  const many = Array.from({ length: 12 }, (_, i) => fileWith({ id: `f${i}`, key: b64(Buffer.alloc(32, i)) }))
  expect(readFiles(many)).toEqual({ files: many.slice(0, 10), unreadable: 2 })
  expect(
    readFiles([another, { ...another, key: b64(Buffer.alloc(32, 3)) }, { ...another, id: 'x' }]),
  ).toEqual({
    files: [another],
    unreadable: 2,
  })
})

test.for([
  ['holiday.jpg', 'holiday.jpg'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  [String.raw`C:\fakepath\a.png`, 'C:_fakepath_a.png'],
  ['photo\u202egpj.exe', 'photogpj.exe'],
  [' \u200b ', 'file'],
  ['..', 'file'],
  ['👨‍👩‍👧.png', '👨‍👩‍👧.png'],
  [`${'ü'.repeat(200)}.tar.gz`, `${'ü'.repeat(126)}.gz`],
])('the name %j is sent as %j', ([name, sent]) => {
  expect(fileNameOf(name!)).toBe(sent)
})

test('whatever a file is called on a device, its reader takes the name and the type that are made of it', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ maxLength: 200 }),
      (name, type) => {
        const file = fileWith({ name: fileNameOf(name), type: fileTypeOf(type) })
        expect(readFiles([file])).toEqual({ files: [file], unreadable: 0 })
      },
    ),
    { numRuns: 2000 },
  )
  expect(fileTypeOf('audio/webm;codecs=opus')).toBe('audio/webm')
  expect(fileTypeOf('Image/PNG')).toBe('image/png')
  expect(fileTypeOf('')).toBe('application/octet-stream')
})
