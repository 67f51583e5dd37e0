import { createClient, signInWith } from '@parley/sdk'
import { privateKeyToAccount } from 'viem/accounts'
import type { Drill } from '../drill.ts'
import { digestOf } from '../random.ts'
import type { Stage } from '../run.ts'

const minutes = 60_000

/** Clocks of services may be wrong: times come from the database. */
export const clockSkew: Drill = {
  name: 'clock-skew',
  what: 'three services on one database, their clocks half an hour behind, right, and half an hour ahead',
  seconds: 45,
  async play(stage) {
    const { url } = await stage.startDatabase()
    // The first one issues the tokens; a token from the future is refused, and rightly so.
    for (const shift of [-30 * minutes, 0, 30 * minutes])
      await stage.startService({ DATABASE_URL: url }, { preload: shiftedClock(shift) })
    const urls = stage.services.map((service) => service.url)
    const { world } = await stage.startLoad(() => urls)
    await checkTokens(stage, url, world.addresses[0]!)
    while (stage.isTime()) await stage.pause(500)
    await stage.finish()
    let furthest = 0
    for (const { key, intendedAt, acknowledged } of stage.history.values()) {
      if (!acknowledged) continue
      const time = Date.parse(acknowledged.timestamp)
      const off = Math.max(intendedAt - time, time - acknowledged.at, 0)
      furthest = Math.max(furthest, off)
      // A conversation's times may run two seconds ahead of the clock, and the two clocks read here differ a little.
      if (off > 2500)
        stage.report({ kind: 'out of order', detail: `${key} is ${off} ms away from when it was sent` })
    }
    stage.note(`no time further than ${furthest} ms from when it was sent`)
  },
}

/** Clocks that are a little apart are usual: a token that one instance gives out must be good on another at once. */
async function checkTokens(stage: Stage, databaseUrl: string, peer: string): Promise<void> {
  const ahead = await stage.startService({ DATABASE_URL: databaseUrl }, { preload: shiftedClock(2_000) })
  const right = stage.services[1]!
  const account = privateKeyToAccount(`0x${digestOf(stage.seed, 'skewed')}`)
  const fromaddr = account.address.toLowerCase()
  const signMessage = (message: string) => account.signMessage({ message })
  const { token } = await signInWith({ baseUrl: ahead.url }, { address: fromaddr, signMessage })
  await createClient({ baseUrl: right.url, token })
    .countUnreadOfConversation({ fromaddr, toaddr: peer })
    .catch((error: Error) =>
      stage.report({ kind: 'refused', detail: `a token of a clock 2 s ahead: ${error.message}` }),
    )
  await ahead.end('SIGTERM')
}

/** A module that shifts the clock of the process it is loaded into. */
const shiftedClock = (shift: number) => `
  const Real = Date
  globalThis.Date = class Date extends Real {
    constructor(...given) { given.length === 0 ? super(Real.now() + ${shift}) : super(...given) }
    static now() { return Real.now() + ${shift} }
  }`
