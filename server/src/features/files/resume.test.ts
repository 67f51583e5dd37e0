import { randomBytes } from 'node:crypto'
import { createClient, uploadFile } from '@parley/sdk'
import { expect, test } from 'vitest'
import { download } from '../../../../testing/people/uploading.ts'
import { newToken, newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()

/** Returns the SDK over a connection that `breaks` for some requests, before they are sent or when they are answered. */
async function uploader(breaks: (count: number) => 'before' | 'after' | undefined) {
  const address = newWallet()
  const baseUrl = await service.listen()
  const token = await newToken(service.ctx, address)
  let parts = 0
  const client = createClient({
    baseUrl,
    token,
    retry: { attempts: 5 },
    fetch: async (url, init) => {
      const isPart = init?.method === 'PUT'
      const breaking = isPart ? breaks((parts += 1)) : undefined
      if (breaking === 'before') throw new TypeError('the connection broke')
      const answer = await fetch(url, init)
      if (breaking === 'after') {
        await answer.text()
        throw new TypeError('the connection broke')
      }
      return answer
    },
  })
  // Without a socket: the service then closes without waiting for one that is not idle yet.
  return { client, parts: () => parts, reader: await service.as(address) }
}

const bytes = randomBytes(9 * 2 ** 20)
const blob = new Blob([bytes])

test('an upload goes on over broken connections, and shows how far it is', async () => {
  const { client, parts, reader } = await uploader((count) =>
    count === 1 ? 'before' : count === 3 ? 'after' : undefined,
  )
  const progress: number[] = []
  const onProgress = (stored: number) => progress.push(stored)
  const file = await uploadFile(client, { toaddr: newWallet() }, blob, { name: 'a.bin', onProgress })
  expect(file).toMatchObject({ size: bytes.length, offset: bytes.length, name: 'a.bin' })
  expect(progress[0]).toBe(0)
  expect(progress).toEqual(progress.toSorted((one, other) => one - other))
  expect(progress.at(-1)).toBe(bytes.length)
  // The first part was sent twice, and the one whose answer was lost.
  expect(parts()).toBe(progress.length - 1 + 2)
  expect((await download(reader, file.id)).equals(bytes)).toBe(true)
})

test('an aborted upload is resumed by its id', async () => {
  const { client, parts, reader } = await uploader(() => undefined)
  const abort = new AbortController()
  let id = ''
  let stored = 0
  const first = uploadFile(client, { toaddr: newWallet() }, blob, {
    signal: abort.signal,
    onBegin: (file) => (id = file.id),
    onProgress: (now) => {
      stored = now
      if (now > 2 ** 20) abort.abort(new Error('later'))
    },
  })
  await expect(first).rejects.toThrow('later')
  const sent = parts()
  const progress: number[] = []
  const onProgress = (now: number) => progress.push(now)
  const file = await uploadFile(client, { toaddr: newWallet() }, blob, { resume: id, onProgress })
  expect([file.id, progress[0]]).toEqual([id, stored])
  expect(parts() - sent).toBe(progress.length - 1)
  expect((await download(reader, id)).equals(bytes)).toBe(true)
})
