// These tests measure what jobs cost while there are none, and when one runs without a notification.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { useService } from '../../../testing/service/service.ts'
import { tasks } from '../background.ts'
import { enqueue } from './queue.ts'
import { startJobs } from './runner.ts'

const idle = useService()

test('all workers of a process without jobs ask the database less than once a second', async () => {
  await using _jobs = startJobs(idle.ctx, idle.databaseUrl, { tasks, crontab: [] })
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const countJobs = () =>
    query.mock.calls.filter(([text]) => JSON.stringify(text)?.includes('graphile_worker')).length
  // What the start itself reads is no part of it, and takes long on a busy machine.
  const inFiveSeconds = async () => {
    const before = countJobs()
    await sleep(5_000)
    return countJobs() - before
  }
  await vi.waitFor(async () => expect(await inFiveSeconds()).toBeLessThan(5), { timeout: 30_000 })
  query.mockRestore()
})

const later = useService()

test('a job of a later time, which nobody is told of when it comes, begins within two seconds of it', async () => {
  const done: number[] = []
  const noting = { ...tasks, notify: async () => void done.push(Date.now()) }
  await using _jobs = startJobs(later.ctx, later.databaseUrl, {
    tasks: noting,
    crontab: [],
  })
  await sleep(1_000)
  const runAt = new Date(Date.now() + 2_000)
  await enqueue(later.ctx.db, 'notify', { walletaddr: 'a', subject: { all: true } }, { runAt })
  await vi.waitFor(() => expect(done).toHaveLength(1), { timeout: 8_000, interval: 50 })
  expect(done[0]! - runAt.getTime()).toBeLessThan(3_000)
})
