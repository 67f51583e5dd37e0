import { createClient, signInWith } from '@parley/sdk'
import { privateKeyToAccount } from 'viem/accounts'
import type { Drill } from '../drill.ts'
import { digestOf } from '../random.ts'
import type { Run } from '../run.ts'
import { nodeCommand } from '../../testing/service/service-process.ts'

const minutes = 60_000

/** Clocks of services may be wrong: times come from the database. */
export const clockSkew: Drill = {
  name: 'clock-skew',
  summary: 'three services on one database, their clocks half an hour behind, right, and half an hour ahead',
  seconds: 45,
  async perform(run) {
    const { url } = await run.startDatabase()
    // The first one issues the tokens: a token from the future is refused, as it should be.
    for (const shift of [-30 * minutes, 0, 30 * minutes])
      await run.startService({ DATABASE_URL: url }, withClock(shift))
    const urls = run.services.map((service) => service.url)
    const { wallets } = await run.startLoad(() => urls)
    await checkTokens(run, url, wallets.addresses[0]!)
    while (run.hasTime()) await run.pause(500)
    await run.finish()
    let furthest = 0
    for (const { key, intendedAt, acknowledged } of run.history.values()) {
      if (!acknowledged) continue
      const time = Date.parse(acknowledged.timestamp)
      const off = Math.max(intendedAt - time, time - acknowledged.at, 0)
      furthest = Math.max(furthest, off)
      // A conversation's times may run two seconds ahead of the clock, and the two clocks read here differ a little.
      if (off > 2500)
        run.report({ kind: 'out of order', detail: `${key} is ${off} ms away from when it was sent` })
    }
    run.note(`no time further than ${furthest} ms from when it was sent`)
  },
}

/** Clocks usually differ a little: a token that one instance issues must be valid on another at once. */
async function checkTokens(run: Run, databaseUrl: string, peer: string): Promise<void> {
  const ahead = await run.startService({ DATABASE_URL: databaseUrl }, withClock(2_000))
  const right = run.services[1]!
  const account = privateKeyToAccount(`0x${digestOf(run.seed, 'skewed')}`)
  const fromaddr = account.address.toLowerCase()
  const signMessage = (message: string) => account.signMessage({ message })
  const { token } = await signInWith({ baseUrl: ahead.url }, { address: fromaddr, signMessage })
  await createClient({ baseUrl: right.url, token })
    .countUnreadOfConversation({ fromaddr, toaddr: peer })
    .catch((error: Error) =>
      run.report({ kind: 'refused', detail: `a token of a clock 2 s ahead: ${error.message}` }),
    )
  await ahead.end('SIGTERM')
}

/** Returns a service whose clock is shifted by milliseconds: a module that replaces `Date` is loaded into it first. */
const withClock = (shift: number) => ({
  command: nodeCommand(['--import', `data:text/javascript,${encodeURIComponent(shiftedClock(shift))}`]),
})

const shiftedClock = (shift: number) => `
  const Real = Date
  globalThis.Date = class Date extends Real {
    constructor(...given) { given.length === 0 ? super(Real.now() + ${shift}) : super(...given) }
    static now() { return Real.now() + ${shift} }
  }`
