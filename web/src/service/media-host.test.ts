import { expect, test } from 'vitest'
import { addressOf } from './media-host.ts'

const file = '/v1/files/q1vJ3mT8cK0yWz5uXb2RsAw'
const set = async () => 'https://files.example.org'

test('the bytes of files come from the host for files; all else, and their upload, goes to the service', async () => {
  expect(await addressOf(file, 'GET', set)).toBe(`https://files.example.org${file}`)
  expect(await addressOf(file, undefined, set)).toBe(`https://files.example.org${file}`)
  for (const method of ['PUT', 'DELETE']) expect(await addressOf(file, method, set)).toBe(file)
  for (const path of [`${file}/state`, `${file}?offset=0`, '/v1/files', '/v1/service', '/v1/filesx/a'])
    expect(await addressOf(path, 'GET', set)).toBe(path)
})

test('without a setting, and where it cannot be read, files come from the service', async () => {
  expect(await addressOf(file, 'GET', async () => undefined)).toBe(file)
  expect(await addressOf(file, 'GET', () => Promise.reject(new Error('away')))).toBe(file)
})
