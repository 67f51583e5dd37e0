import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, signInWith } from '@parley/sdk'
import { privateKeyToAccount } from 'viem/accounts'
import { nodeCommand } from '../../testing/service/service-process.ts'
import type { Drill } from '../drill.ts'
import { digestOf } from '../random.ts'
import { mountSmallDisk } from '../small-disk.ts'

const mebibyte = 2 ** 20

/** The disk is nearly full, then full to the last byte, under a running service and under one that starts again. */
export const diskFull: Drill = {
  name: 'disk-full',
  summary:
    'the disk of the embedded PostgreSQL is full, also at a start: writes get a 503, reads and sign-ins go on; back within 5 s of free space',
  seconds: 60,
  async perform(run) {
    const disk = run.use(await mountSmallDisk(run.dataDir, 500))
    const service = await run.startService(
      {},
      { command: [...disk.within, ...nodeCommand()], seenAt: disk.seen },
    )
    const { wallets, writers } = await run.startLoad()
    const [address] = wallets.addresses
    const client = wallets.client(address!, service.url)
    const broken = (detail: string) => run.report({ kind: 'broken', detail })
    const account = privateKeyToAccount(`0x${digestOf(run.seed, 'a newcomer')}`)
    const newcomer = {
      address: account.address,
      signMessage: (message: string) => account.signMessage({ message }),
    }
    let reads = 0

    /** Reads and signs in for some time; each must succeed, and writing must not. */
    async function readFor(seconds: number, when: string): Promise<void> {
      const failed = (error: unknown) => broken(`${when}: ${String(error)}`)
      for (const since = performance.now(); performance.now() - since < seconds * 1000; await sleep(50)) {
        reads++
        await client.getInbox({ address: address! }).catch(failed)
      }
      await signInWith({ baseUrl: service.url }, newcomer).catch(failed)
      const { writes } = await client.isReady().catch(() => ({ writes: undefined }))
      if (writes !== 'refused') broken(`${when}: /readyz does not say that writes are refused`)
      const body = { fromaddr: address!, toaddr: address!, message: 'no room for this' }
      const answer = await client.sendDirectMessage({ body }).catch((error: unknown) => error)
      if (!(answer instanceof ApiError && answer.status === 503 && answer.retryAfter))
        broken(`${when}: a write was not refused: ${String(answer)}`)
    }

    while (run.hasTime()) {
      await run.pause(1000, 2000)
      await disk.fill(40 * mebibyte)
      await sleep(1500)
      await readFor(1, 'nearly full')
      await service.end('SIGKILL')
      await disk.fill(0)
      await service.start()
      await readFor(1, 'full at the start')
      disk.empty()
      await run.waitForRecovery(performance.now(), 5)
      for (const since = performance.now(); !disk.hasReserve(); await sleep(50))
        if (performance.now() - since > 5_000 * run.patience) return broken('the reserve was not made again')
      await disk.fill(0)
      await sleep(1500)
      await readFor(1, 'full while it runs')
      disk.empty()
      await run.waitForRecovery(performance.now(), 5)
    }
    if (!writers.failures.has('503')) broken('no write got a 503')
    run.note(`${reads} reads while full`)
    await run.finish()
  },
}
