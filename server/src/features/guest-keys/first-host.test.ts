import { expect, test } from 'vitest'
import { useService } from '../../../../testing/service/service.ts'
import { watchHost } from './first-host.ts'

const service = useService()

/** Returns what a service at this address logs at its start. */
async function startAt(publicUrl: string): Promise<string[]> {
  const { config, db } = service.ctx
  const logged: string[] = []
  const log = { warn: (text: string) => void logged.push(text) } as unknown as typeof service.ctx.log
  await watchHost({ config: { ...config, publicUrl }, db, log })[Symbol.asyncDispose]()
  return logged
}

test('a service that has another host than its first one warns at each start, because passkeys are lost with it', async () => {
  // It is tried before it has a host.
  for (const url of ['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])
    expect(await startAt(url)).toEqual([])
  expect(await startAt('https://chat.example')).toEqual([])
  expect(await startAt('https://chat.example:8443')).toEqual([])
  for (let n = 0; n < 2; n++)
    expect(await startAt('https://new.example')).toEqual([
      expect.stringMatching(/is at new\.example, and this service began at chat\.example: passkeys/),
    ])
  expect(await startAt('https://chat.example')).toEqual([])
})
