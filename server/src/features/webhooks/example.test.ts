// The receiver of docs/webhooks.md, as it stands there.

import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../../../testing/ports.ts'
import { newKeys, signed } from './sign.ts'

const root = path.join(import.meta.dirname, '../../../..')

test('the receiver of the docs takes what is signed, and refuses all else', async () => {
  const page = await readFile(path.join(root, 'docs/webhooks.md'), 'utf8')
  const [, code] = /```js\n(import \{ createServer[\s\S]*?)```/.exec(page)!
  const keys = newKeys()
  const port = await freePort()
  const receiver = spawn(process.execPath, ['--input-type=module', '--eval', code!], {
    cwd: path.join(root, 'server'),
    env: { ...process.env, PORT: String(port), PARLEY_WEBHOOK_SECRET: `whsec_${keys.secret}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let printed = ''
    receiver.stdout.setEncoding('utf8').on('data', (text: string) => void (printed += text))
    const body = JSON.stringify({
      type: 'message.direct',
      timestamp: new Date().toISOString(),
      data: { id: 42 },
    })
    const post = (text: string) =>
      fetch(`http://127.0.0.1:${port}/parley`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signed([keys], 'msg_a_42', Date.now(), body) },
        body: text,
      }).then(
        ({ status }) => status,
        () => undefined,
      )
    await expect.poll(() => post(body), { timeout: 10_000 }).toBe(204)
    expect(await post(body.replace('42', '43'))).toBe(401)
    await expect.poll(() => printed).toContain('message.direct 42 msg_a_42')
  } finally {
    receiver.kill()
  }
})
