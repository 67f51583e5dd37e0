// The files are in a bucket of an S3-compatible service, which this process is: it fails in each way a service elsewhere can.

import { setTimeout as sleep } from 'node:timers/promises'
import { openFileStore } from '../../server/src/files/open.ts'
import { type S3Fault, startS3 } from '../../testing/outside/s3.ts'
import type { Drill } from '../drill.ts'
import type { Run } from '../run.ts'
import { type Fault, killDatabase, killService, type Scene, sendFiles } from './files.ts'

/** Seconds until uploads go on, when the bucket answers again. */
const untilUploads = 5

/** The service, its database and its bucket fail while wallets upload files and send them. */
export const filesInBucket: Drill = {
  name: 'files-in-bucket',
  summary:
    'an S3 store that breaks off, is busy, away or slow, or loses its answers, and SIGKILL for the service and for its database, while wallets upload files and send them; the bucket has nothing else afterwards',
  seconds: 90,
  async perform(run) {
    const s3 = run.use(await startS3())
    const service = await run.startService({ S3_URL: s3.url })
    const { dataDir } = run
    const store = await openFileStore({ s3Url: s3.access, dataDir, diskReserve: undefined })
    const faults: Fault[] = [
      failing(s3, ['is cut', 'is cut', undefined]),
      killService,
      failing(s3, [503, 500, undefined]),
      async function leave(_run, scene) {
        await s3.leave()
        await sendOthers(run, scene)
        await s3.listen()
        await waitForUploads(run, scene)
      },
      failing(s3, ['is lost', 'is late', undefined]),
      killDatabase,
      failing(s3, ['is slow', undefined]),
      failing(s3, ['is lost', 'is late', 'is cut', undefined], killService),
      failing(s3, ['breaks off', 'hangs', undefined]),
    ]
    const own = run.random.fork('clean-up')
    const disturb = (isDisturbed: boolean) =>
      void s3.setRule(() => (isDisturbed ? own.pick([503, 'is lost', undefined] as const) : undefined))
    await sendFiles(run, { service, dataDir, store, faults, disturb })
  },
}

type S3 = Awaited<ReturnType<typeof startS3>>

/** Each request to the bucket has one of some faults, while something else happens. */
const failing =
  (s3: S3, some: S3Fault[], meanwhile: Fault = sendOthers): Fault =>
  async (run, scene) => {
    const own = run.random.fork(some.join())
    s3.setRule(() => own.pick(some))
    await meanwhile(run, scene)
    s3.setRule(() => undefined)
    await waitForUploads(run, scene)
  }

/** Waits some seconds, and checks that messages without files are sent meanwhile. */
async function sendOthers(run: Run, { writers }: Scene): Promise<void> {
  const most = 2_000 * run.patience
  const [at] = await Promise.all([writers.answeredAfter(performance.now(), most), run.pause(2000, 4000)])
  if (at === undefined) run.report({ kind: 'slow', detail: 'messages without files wait for the bucket' })
}

/** Waits until a part is acknowledged, and notes how long that took. */
async function waitForUploads(run: Run, { uploaders }: Scene): Promise<void> {
  const [since, { parts }] = [performance.now(), uploaders.figures()]
  const most = untilUploads * run.patience * 1000
  const took = () => performance.now() - since
  while (uploaders.figures().parts === parts && took() < most) await sleep(10)
  run.recoveries.push(took() / 1000)
  if (took() >= most)
    run.report({
      kind: 'slow',
      detail: `no part of a file is acknowledged ${most / 1000} s after the bucket`,
    })
}
