// Every endpoint of the contract with the heaviest data that the limits allow, 24 calls at once by one wallet: what others
// send and read meanwhile is answered, and the memory of the service stays bounded. The drill `noisy-neighbour` calls each for
// longer, and holds the times of others to a service that has the machine for itself. The tables are filled as on one machine.

import { expect } from 'vitest'
import { callEach, mostMemory, p99, type Suffered } from '../../testing/cases/noisy-caller.ts'
import { withoutCounting } from '../../testing/cases/without-counting.ts'
import { newDatabase } from '../../testing/service/database.ts'
import { templateDatabase } from '../../testing/service/global-setup.ts'
import { onOneMachine } from '../../testing/service/engines.ts'
import { freePort } from '../../testing/service/ports.ts'
import { newWallet, testSecret } from '../../testing/service/service.ts'
import { createServiceProcess, startCommand } from '../../testing/service/service-process.ts'

/** Milliseconds: tests run beside others. */
const longestWait = 3000
/** Milliseconds: it goes on until each of the others has had an answer of each kind. */
const enough = 20

onOneMachine(
  'no endpoint lets one wallet keep others waiting, or fill the memory',
  { timeout: 300_000 },
  async () => {
    await using stack = new AsyncDisposableStack()
    const { databaseUrl } = stack.use(await newDatabase(templateDatabase))
    const env = { ...withoutCounting, DATABASE_URL: databaseUrl, JWT_SECRET: testSecret, LOG_LEVEL: 'warn' }
    const service = stack.use(createServiceProcess({ port: await freePort(), command: startCommand(), env }))
    await service.start()
    const place = { url: service.url, jwtSecret: testSecret, pid: service.pid }
    const wallets = Array.from({ length: 5 }, newWallet)
    const found: string[] = []
    let most = 0
    const suffers = ({ took, failed }: Suffered) => failed.length > 0 || !(p99(took) < longestWait)
    for await (const [name, suffered] of callEach(place, databaseUrl, wallets, enough, suffers)) {
      most = Math.max(most, suffered.most)
      if (suffered.noLoad !== undefined) found.push(`${name}: ${suffered.noLoad}`)
      if (suffered.failed.length > 0) found.push(`${name}: ${suffered.failed[0]}`)
      if (!(p99(suffered.took) < longestWait)) found.push(`${name}: ${p99(suffered.took).toFixed()} ms`)
      if (suffered.most > mostMemory) found.push(`${name}: ${suffered.most.toFixed()} MiB`)
    }
    expect(found).toEqual([])
    expect(most).toBeGreaterThan(50)
  },
)
