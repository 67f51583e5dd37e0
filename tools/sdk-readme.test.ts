import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '../sdk/src/contract/index.ts'
import { startSite, type Service } from '../testing/service/service.ts'
import { readmeFile, withMethods } from './sdk-readme.ts'

const examples = path.join(import.meta.dirname, '../sdk/examples')
let service: Service

beforeAll(async () => {
  service = await startSite()
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('the README of the SDK is what `npm run docs:sdk` makes of the contract', async () => {
  const readme = await readFile(readmeFile, 'utf8')
  expect(readme).toBe(withMethods(readme))
})

test('the README has every method once', async () => {
  const readme = await readFile(readmeFile, 'utf8')
  const rows = [...readme.matchAll(/^- `(\w+)\(/gm)].map((match) => match[1]!)
  const methods = Object.keys(contract).map((name) => (name === 'streamEvents' ? 'readEvents' : name))
  expect(rows.toSorted()).toEqual(methods.toSorted())
})

/** Each example prints this on a service without other wallets. */
const printed: Record<string, string[]> = {
  'sign-in.ts': ['signed in for 24 hours', 'inbox: 0 conversations', 'without a token: unauthorized'],
  'send.ts': ['unread: 1', 'Bob reads: gm', 'unread: 0', "in Alice's inbox: 1 conversation"],
  'listen.ts': ['Bob hears: are you there?', 'Bob hears: you were away'],
  'history.ts': ['message 5, message 6, message 7', 'message 2, message 3, message 4', 'message 1'],
  'agent.ts': ['You wrote: are you there?', 'You wrote: you were away'],
  'retry.ts': [
    'not sent yet: offline',
    'not sent yet: the connection broke',
    'sent after 3 tries',
    'stored: 1 message',
  ],
}

test.concurrent.for(Object.entries(printed))('the example %s runs', async ([file, lines]) => {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(examples, file)], {
    env: { ...process.env, PARLEY_URL: await service.listen() },
    timeout: 30_000,
  })
  // A stream that was resumed may bring an event twice, as on a cluster.
  expect([...new Set(stdout.trim().split('\n'))]).toEqual(lines)
})

test('every example is run, and is in the README', async () => {
  const files = (await readdir(examples)).filter((file) => file !== 'wallet.ts')
  expect(files.toSorted()).toEqual(Object.keys(printed).toSorted())
  const readme = await readFile(readmeFile, 'utf8')
  expect(files.filter((file) => !readme.includes(`(examples/${file})`))).toEqual([])
})
