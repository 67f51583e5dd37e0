import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { uploadFile } from '@parley/sdk'
import { expect } from 'vitest'
import { startProcess } from '../../../../testing/service/killable-service.ts'
import { onOneMachine } from '../../../../testing/service/engines.ts'
import { forgetPeak, memory, peakMemory } from '../../../../testing/service/processes.ts'
import { newWallet } from '../../../../testing/service/service.ts'
import { download } from '../../../../testing/people/uploading.ts'

onOneMachine(
  'a service that is killed during uploads has every part that it has acknowledged',
  async () => {
    await using started = await startProcess()
    const { service } = started
    const client = await started.as(newWallet())
    const bytes = randomBytes(20 * 2 ** 20)
    const blob = new Blob([bytes])
    let id = ''
    let acknowledged = 0
    for (let kills = 0; ; kills++) {
      const upload = uploadFile(client, { toaddr: newWallet() }, blob, {
        ...(id && { resume: id }),
        onBegin: (file) => (id = file.id),
        onProgress: (stored) => (acknowledged = stored),
      })
      const done = upload.then(
        () => true,
        () => false,
      )
      if (kills < 4) await Promise.race([done, sleep(15 + kills * 25)])
      if (kills < 4) await service.end('SIGKILL')
      if (await done) break
      await service.start()
      if (!id) continue
      const [file] = await client.getFileState({ file: id })
      expect(file!.offset).toBeGreaterThanOrEqual(acknowledged)
    }
    expect((await download(client, id)).equals(bytes)).toBe(true)
  },
  120_000,
)

// 400 MiB in all. The drill `files` has those of 25 MiB, which take longer.
onOneMachine(
  'fifty uploads of 8 MiB at once need less than 64 MiB of memory',
  async () => {
    await using started = await startProcess()
    const { pid } = started.service
    const blob = new Blob([randomBytes(8 * 2 ** 20)])
    const upload = async () => uploadFile(await started.as(newWallet()), { toaddr: newWallet() }, blob)
    await upload()
    const before = memory(pid)
    forgetPeak(pid)
    await Promise.all(Array.from({ length: 50 }, upload))
    expect(peakMemory(pid) - before).toBeLessThan(64)
  },
  240_000,
)
