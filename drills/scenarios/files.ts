import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@parley/sdk'
import { layouts } from '../../server/src/cluster/layout.ts'
import { readPidFile } from '../../server/src/db/embedded/postmaster.ts'
import { connect } from '../../server/src/db/pool.ts'
import { sweep } from '../../server/src/features/files/tasks.ts'
import { openFileStore } from '../../server/src/files/open.ts'
import type { FileStore } from '../../server/src/files/store.ts'
import { forEachLimited } from '../../server/src/lib/for-each-limited.ts'
import { hour } from '../../server/src/lib/times.ts'
import { nodeCommand, type ServiceProcess } from '../../testing/service/service-process.ts'
import { checkUploads, compareStore, readFiles } from '../check/files.ts'
import type { Entry } from '../check/ledger.ts'
import type { Drill } from '../drill.ts'
import type { Run } from '../run.ts'
import { mountSmallDisk } from '../small-disk.ts'
import type { Uploaders } from '../load/uploaders.ts'
import type { Writers } from '../load/writers.ts'
import { uploadMany } from './many-uploads.ts'
import type { Wallets } from '../wallets.ts'

/** This is where a run has its files, and what fails in it. */
interface Place {
  service: ServiceProcess
  /** The data of the service as this process sees it. */
  dataDir: string
  store: FileStore
  faults: Fault[]
  /** Makes calls of the store fail now and then, or ends that. */
  disturb?: (isDisturbed: boolean) => void
}
export interface Scene extends Pick<Place, 'service' | 'dataDir'> {
  uploaders: Uploaders
  writers: Writers
}
export type Fault = (run: Run, scene: Scene) => Promise<void>

export async function killService(run: Run, { service }: Pick<Scene, 'service'>): Promise<void> {
  const since = performance.now()
  await service.end('SIGKILL')
  await service.start()
  await run.waitForRecovery(since, 5)
}

export async function killDatabase(run: Run, { dataDir }: Scene): Promise<void> {
  const postmaster = (await readPidFile(path.join(dataDir, 'postgres')))?.pid
  if (postmaster === undefined) return
  const since = performance.now()
  process.kill(postmaster, 'SIGKILL')
  await run.waitForRecovery(since, 10)
}

/** The service, its database and its disk fail while wallets upload files and send them. */
export const files: Drill = {
  name: 'files',
  summary:
    'SIGKILL for the service and for its database, and a full disk, while wallets upload files and send them; the store has nothing else afterwards',
  seconds: 60,
  async perform(run) {
    const disk = run.use(await mountSmallDisk(run.dataDir, 1200))
    const dataDir = disk.seen
    const service = await run.startService(
      {},
      { command: [...disk.within, ...nodeCommand()], seenAt: dataDir },
    )
    const store = await openFileStore({ s3Url: undefined, dataDir, diskReserve: undefined })
    const fillDisk: Fault = async () => {
      await disk.fill(0)
      await run.pause(1500, 2500)
      disk.empty()
      await run.waitForRecovery(performance.now(), 5)
    }
    const wallets = await sendFiles(run, {
      service,
      dataDir,
      store,
      faults: [killService, killDatabase, fillDisk],
    })
    // A short run has smaller ones, which take a fraction of the time.
    await uploadMany(run, wallets, run.seconds < 60 ? 1 : 25)
  },
}

/** Causes the faults while wallets upload files and send them, then deletes some, and checks what is left. */
export async function sendFiles(run: Run, place: Place): Promise<Wallets> {
  const { service, faults } = place
  const { wallets, writers, uploaders } = await run.startLoad(undefined, { files: true })
  for (let n = 0; run.hasTime(); n++) {
    await run.pause(1000, 3000)
    await faults[n % faults.length]!(run, { ...place, writers, uploaders: uploaders! })
  }
  await run.finish()
  const sent = [...run.history.values()].filter((entry) => entry.files && entry.acknowledged)
  const read = await readFiles(sent, wallets, service.url)
  const uploads = await checkUploads(uploaders!, wallets, service.url)
  for (const violation of [...read.found, ...uploads]) run.report(violation)
  const { parts } = uploaders!.figures()
  run.note(
    `${parts} parts acknowledged, ${read.files} files of ${sent.length} messages read (${Math.round(read.bytes / 2 ** 20)} MiB)`,
  )
  const deleted = await deleteSome(run, service, wallets, sent)
  await cleanUp(run, place, deleted)
  const left = sent.filter((entry) => !deleted.includes(entry))
  const again = await readFiles(left, wallets, service.url)
  again.found.forEach(run.report)
  return wallets
}

/** Deletes a third of the direct messages with files, while the service is killed once. Returns those. */
async function deleteSome(
  run: Run,
  service: ServiceProcess,
  wallets: Wallets,
  sent: Entry[],
): Promise<Entry[]> {
  const some = sent.filter(({ room }) => room.includes(' ')).filter((_, n) => n % 3 === 0)
  const deleting = forEachLimited(some, 4, async ({ key, from, acknowledged }) => {
    for (const since = performance.now(); ; await sleep(100))
      try {
        return await wallets.client(from, service.url).deleteDirectMessage({ id: acknowledged!.id })
      } catch (error) {
        // It may be deleted by an attempt without a response.
        if (error instanceof ApiError && error.code === 'not_found') return undefined
        if (performance.now() - since > 30_000 * run.patience)
          return run.report({ kind: 'broken', detail: `${key} is not deleted: ${String(error)}` })
      }
  })
  await sleep(30)
  await service.end('SIGKILL')
  await service.start()
  await deleting
  return some
}

/** Does what the service does each hour, with the time a day later, and checks what is left. */
async function cleanUp(
  run: Run,
  { store, disturb }: Pick<Place, 'store' | 'disturb'>,
  deleted: Entry[],
): Promise<void> {
  const later = 26 * hour
  await using db = connect(await run.findDatabase(), { layout: layouts.machine, size: 1 })
  const before = await compareStore(db, store)
  const fileStore = { ...store, list: (time: number) => store.list(time + later) }
  const clean = () =>
    sweep({ db: { ...db, now: () => db.now() + later }, fileStore }, new AbortController().signal)
  if (disturb) {
    disturb(true)
    // It ends in the middle, and the next hour does the rest.
    await clean().catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'unavailable')) throw error
      run.note('the first clean-up ended in the middle')
    })
    disturb(false)
  }
  await clean()
  const after = await compareStore(db, store)
  const broken = (detail: string) => run.report({ kind: 'broken', detail })
  for (const orphan of after.orphans) broken(`no row has ${orphan}, and it is in the store`)
  for (const id of after.missing) broken(`bytes of ${id} are missing`)
  if (after.loose > 0) broken(`${after.loose} files have no message after a day`)
  if (after.waiting > 0) broken(`the bytes of ${after.waiting} deleted files were not deleted`)
  for (const { key, files: all } of deleted)
    if (all!.some(({ id }) => after.ids.has(id))) broken(`${key} was deleted, and its files were not`)
  run.note(
    `${deleted.length} messages with files deleted; ${before.orphans.length} parts without a row and ${before.loose} files without a message before the clean-up, 0 after it`,
  )
}
