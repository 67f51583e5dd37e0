import { expect, test } from 'vitest'
import { PictureQueue } from './queue.ts'

const most = { ofCaller: 8, ofNetwork: 16, ofAll: 32 }

/** A queue in which nothing is done before `go`; then in which order, and who was refused. */
function openQueue() {
  const queue = new PictureQueue()
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  const refused: string[] = []
  const asked: Promise<void>[] = []
  const put = (caller: string, network: string) =>
    void asked.push(
      queue
        .take({ caller, network }, most, async () => {
          await gate.promise
          done.push(caller)
        })
        .catch(({ status }: { status: number }) => void refused.push(`${caller} ${status}`)),
    )
  const go = async () => {
    gate.resolve()
    await Promise.all(asked)
    return { done, refused }
  }
  return { put, go }
}

test('many wallets of a network address fill half of the queue, and others wait for one of theirs', async () => {
  const { put, go } = openQueue()
  for (let n = 0; n < 40; n++) put(`mallory-${n}`, `2001:db8:1:${n.toString(16)}::/64`)
  for (let n = 0; n < 3; n++) put('bob', '192.0.2.1')
  const { done, refused } = await go()
  expect(done).toHaveLength(16 + 3)
  expect(done.indexOf('bob')).toBe(1)
  expect(done.lastIndexOf('bob')).toBeLessThanOrEqual(5)
  expect(refused).toHaveLength(24)
  expect(new Set(refused.map((one) => one.split(' ')[1]))).toEqual(new Set(['503']))
})

test('when network addresses fill the queue, the one with most gives way', async () => {
  const { put, go } = openQueue()
  for (let n = 0; n < 16; n++) for (const network of ['a', 'c']) put(`${network}-${n}`, network)
  for (let n = 0; n < 2; n++) put('bob', 'b')
  const { done, refused } = await go()
  expect(done.filter((who) => who === 'bob')).toHaveLength(2)
  expect(done.indexOf('bob')).toBeLessThanOrEqual(2)
  expect(refused).toHaveLength(2)
})

test('the wallets of a network address take turns', async () => {
  const { put, go } = openQueue()
  for (let n = 0; n < 8; n++) put('mallory', 'a')
  put('alice', 'a')
  const { done } = await go()
  expect(done.indexOf('alice')).toBe(1)
})
