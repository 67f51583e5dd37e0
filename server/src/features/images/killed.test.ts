import { randomBytes } from 'node:crypto'
import { readFile, utimes } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { expect } from 'vitest'
import { storedParts, sweepFiles } from '../../../../testing/people/uploading.ts'
import { onOneMachine } from '../../../../testing/service/engines.ts'
import { startProcess } from '../../../../testing/service/killable-service.ts'
import { newWallet, startService } from '../../../../testing/service/service.ts'

const newPicture = async () =>
  (
    await sharp(randomBytes(300 ** 2 * 3), { raw: { width: 300, height: 300, channels: 3 } })
      .png()
      .toBuffer()
  ).toString('base64')

onOneMachine(
  'a service that is killed while pictures are set loses none that it has acknowledged, and what it leaves is deleted',
  async () => {
    await using started = await startProcess()
    const { service, dataDir } = started
    const addr = newWallet()
    const client = await started.as(addr)
    const pictures = await Promise.all(Array.from({ length: 6 }, newPicture))
    let acknowledged = -1
    for (let kill = 0; kill < 4; kill++) {
      let times = 0
      // Each replaces the one before, until the service is killed.
      const setting = (async () => {
        for (;;) {
          const next = (acknowledged + 1) % pictures.length
          try {
            await client.createImage({ body: { addr, base64data: pictures[next]! } })
          } catch {
            return
          }
          acknowledged = next
          times++
        }
      })()
      // The first one waits until its decoder has started.
      await expect.poll(() => times, { timeout: 30_000, interval: 5 }).toBeGreaterThan(1)
      await sleep(kill * 7)
      await service.end('SIGKILL')
      await setting
      await service.start()
      const [seen] = await client.getImage({ addr })
      const found = pictures.indexOf(seen!.base64data)
      // The last one may be stored without an answer.
      expect([acknowledged, (acknowledged + 1) % pictures.length]).toContain(found)
      acknowledged = found
    }
    await service.end('SIGKILL')

    await using after = await startService({ beside: started, dataDir })
    // The mark of the disk is no object (files/disks.ts).
    const stored = async () => (await storedParts(after)).filter((path) => !path.endsWith('disk-id'))
    const old = new Date(Date.now() - 2 * 3_600_000)
    for (const path of await stored()) await utimes(path, old, old)
    await sweepFiles(after)
    const left = await Promise.all((await stored()).map((path) => readFile(path, 'base64')))
    expect(left.map((base64data) => pictures.indexOf(base64data))).toEqual([acknowledged])
    const [seen] = await (await after.as(addr)).getImage({ addr })
    expect(pictures.indexOf(seen!.base64data)).toBe(acknowledged)
  },
  120_000,
)
