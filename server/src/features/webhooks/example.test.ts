// These are the receiver and the bot of docs/webhooks.md, as they stand there.

import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../../../testing/service/ports.ts'
import { newKeys, signed } from './sign.ts'

const root = path.join(import.meta.dirname, '../../../..')

/** Starts a program of the docs: the one that reads its secret from a variable. */
async function startExample(variable: string) {
  const page = await readFile(path.join(root, 'docs/webhooks.md'), 'utf8')
  const programs = [...page.matchAll(/```js\n(import \{ createServer[\s\S]*?)```/g)].map(([, code]) => code!)
  const code = programs.find((program) => program.includes(`process.env.${variable}`))!
  const keys = newKeys()
  const port = await freePort()
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: path.join(root, 'server'),
    env: { ...process.env, PORT: String(port), [variable]: `whsec_${keys.secret}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (printed += text))
  return {
    printed: () => printed,
    /** Posts a text with the signature of another one. */
    async post(text: string, of = text): Promise<{ status: number; text: string } | undefined> {
      try {
        const answer = await fetch(`http://127.0.0.1:${port}/parley`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...signed([keys], 'msg_a_42', Date.now(), of) },
          body: text,
        })
        return { status: answer.status, text: await answer.text() }
      } catch {
        return undefined
      }
    },
    [Symbol.dispose]: () => void child.kill(),
  }
}

const told = (type: string, data: object) =>
  JSON.stringify({ type, timestamp: new Date().toISOString(), data })

test('the receiver of the docs takes what is signed, and refuses all else', async () => {
  using receiver = await startExample('PARLEY_WEBHOOK_SECRET')
  const body = told('message.direct', { id: 42 })
  await expect.poll(async () => (await receiver.post(body))?.status, { timeout: 10_000 }).toBe(204)
  expect(await receiver.post(body.replace('42', '43'), body)).toMatchObject({ status: 401 })
  await expect.poll(receiver.printed).toContain('message.direct 42 msg_a_42')
})

test('the bot of the docs answers a command with a text, and nothing else', async () => {
  using bot = await startExample('PARLEY_BOT_SECRET')
  const body = told('command', { id: 42, word: 'weather', text: 'Berlin' })
  await expect.poll(async () => (await bot.post(body))?.status, { timeout: 10_000 }).toBe(200)
  const answer = await bot.post(body)
  expect(JSON.parse(answer!.text)).toEqual({ text: 'The weather in Berlin: sunny.' })
  expect(JSON.parse((await bot.post(told('test', {})))!.text)).toEqual({})
  expect(await bot.post(body.replace('Berlin', 'Paris'), body)).toMatchObject({ status: 401 })
})
