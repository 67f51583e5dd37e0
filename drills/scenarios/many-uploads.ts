// Many wallets upload large files at once: their bytes go to the disk as they come, and stay in memory nowhere.

import path from 'node:path'
import { uploadFile } from '@parley/sdk'
import { startCommand } from '../../testing/service/service-process.ts'
import { forgetPeak, memory, peakMemory } from '../../testing/service/processes.ts'
import type { Run } from '../run.ts'
import type { Wallets } from '../wallets.ts'

const count = 50
/** The memory of the service grows by less than this, in MiB. */
const most = 64

/** Starts a service with a large disk, and uploads fifty files of some MiB at once. */
export async function uploadMany(run: Run, wallets: Wallets, mebibytes: number): Promise<void> {
  const dataDir = path.join(run.directory, 'many-uploads')
  const service = await run.startService({ DATA_DIR: dataDir }, { command: startCommand(), seenAt: dataDir })
  const blob = new Blob([new Uint8Array(mebibytes * 2 ** 20).fill(1)])
  const upload = async (n: number) => {
    const wallet = wallets.addresses[n % wallets.addresses.length]!
    return uploadFile(wallets.client(wallet, service.url), { toaddr: wallet }, blob)
  }
  await upload(0)
  const before = memory(service.pid)
  forgetPeak(service.pid)
  const began = performance.now()
  await Promise.all(Array.from({ length: count }, (_, n) => upload(n)))
  const seconds = (performance.now() - began) / 1000
  const growth = peakMemory(service.pid) - before
  if (growth >= most)
    run.report({ kind: 'broken', detail: `${count} uploads at once took ${growth.toFixed(0)} MiB of memory` })
  run.note(
    `${count} uploads of ${mebibytes} MiB at once in ${seconds.toFixed(0)} s took ${growth.toFixed(0)} MiB of memory`,
  )
}
