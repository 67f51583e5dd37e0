// Lists with the heaviest rows that the limits allow, 24 of them at once by one wallet, with limits on: what
// others send and read meanwhile is answered, and soon.

import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openCaller } from '../../testing/callers.ts'
import { newDatabase, openPool } from '../../testing/database.ts'
import { templateDatabase } from '../../testing/global-setup.ts'
import { type Heavy, heavyLists } from '../../testing/heavy-lists.ts'
import { freePort } from '../../testing/ports.ts'
import { memory } from '../../testing/processes.ts'
import { newWallet, testSecret } from '../../testing/service.ts'
import { createServiceProcess, nodeCommand } from '../../testing/service-process.ts'

/** As `npm start` has them. */
const flags = execFileSync(process.execPath, ['tools/v8-flags.mjs'], { encoding: 'utf8' })
  .split(/\s+/)
  .filter(Boolean)
const parallel = 24
const seconds = 3
/** 400 MB, in MiB. */
const mostMemory = 400e6 / 2 ** 20
/** Milliseconds: tests run beside others, and a service alone stays below 250. */
const longestWait = 1000

test.each(Object.entries(heavyLists))(
  '24 answers of %s at once leave others served, and memory bounded',
  async (_, heavy) => {
    const { took, failed, most, asked } = await besides(heavy)
    if (process.env.LOG_LEVEL)
      console.log(
        `p99 ${took.at(-Math.ceil(took.length / 100))!.toFixed()} ms of ${took.length}, ${most.toFixed()} MiB, ${JSON.stringify(asked)}`,
      )
    expect(failed).toEqual([])
    expect(took.length).toBeGreaterThan(10)
    expect(took.at(-Math.ceil(took.length / 100))).toBeLessThan(longestWait)
    expect(most).toBeLessThan(mostMemory)
  },
)

/** What others wait for while one wallet asks for a list. */
async function besides({ fill, path }: Heavy) {
  await using stack = new AsyncDisposableStack()
  const { databaseUrl } = stack.use(await newDatabase(templateDatabase))
  const wallet = newWallet()
  {
    await using db = await openPool(databaseUrl, 1)
    await fill(db, wallet)
  }
  const service = stack.use(
    createServiceProcess({
      port: await freePort(),
      command: nodeCommand(flags),
      env: { DATABASE_URL: databaseUrl, JWT_SECRET: testSecret, LOG_LEVEL: 'warn' },
    }),
  )
  await service.start()
  const place = { url: service.url, jwtSecret: testSecret }
  const heavy = await openCaller(place, wallet, '127.0.0.2')
  const others = await Promise.all([3, 4, 5].map((n) => openCaller(place, newWallet(), `127.0.0.${n}`)))
  const isOver = AbortSignal.timeout(seconds * 1000)
  const took: number[] = []
  const failed: string[] = []
  const asked: Record<number, number> = {}
  let most = 0
  const asking = Array.from({ length: parallel }, async () => {
    while (!isOver.aborted) {
      const { status } = await heavy.get(path(wallet))
      asked[status] = (asked[status] ?? 0) + 1
      if (status !== 200) await sleep(100)
    }
  })
  const living = others.map(async ({ address, get, post }) => {
    await sleep(200)
    while (!isOver.aborted) {
      for (const answer of [
        await post('/v1/create_chatitem', { fromaddr: address, toaddr: others[0]!.address, message: 'gm' }),
        await get(`/v1/get_inbox/${address}`),
      ]) {
        took.push(answer.took)
        if (answer.status !== 200) failed.push(`${answer.status} ${answer.text}`)
      }
      most = Math.max(most, memory(service.pid))
      await sleep(50)
    }
  })
  await Promise.all(living)
  // Whole answers would take a minute.
  await service.end('SIGKILL')
  await Promise.all(asking)
  return { took: took.toSorted((a, b) => a - b), failed, most, asked }
}
