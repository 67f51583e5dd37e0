import type { Drill } from '../drill.ts'
import { type PatroniCluster, startPatroni } from '../patroni/cluster.ts'
import type { Run } from '../run.ts'

/** The faults of the primary; `stopped` affects its PostgreSQL only, `alone` both standbys. The services go on running. */
const faults = ['killed', 'stopped', 'paused', 'cut off', 'alone'] as const
type Fault = (typeof faults)[number]

/** A primary is lost under two services: one connects through HAProxy, the other knows all hosts. */
export const failover: Drill = {
  name: 'failover',
  summary:
    'the primary of a Patroni cluster is killed, paused or cut off, or loses both standbys; back within 60 s',
  seconds: 300,
  async perform(run) {
    const cluster = run.use(await startPatroni(run.log, run.patience))
    await run.startService({ DATABASE_URL: cluster.haproxyUrl })
    await run.startService({ DATABASE_URL: cluster.hostsUrl })
    const { writers } = await run.startLoad()
    const gaps = new Map<Fault, string[]>()
    for (let turn = 0; run.hasTime(); turn++) {
      await run.pause(1000, 3000)
      const fault = faults[turn % faults.length]!
      const since = performance.now()
      await cause(fault, cluster, run)
      await cluster.healthy()
      await run.waitForRecovery(performance.now(), 10)
      const gap = longestGap(writers.attempts, since)
      gaps.set(fault, [...(gaps.get(fault) ?? []), gap.toFixed(1)])
      run.log(`${fault}: ${gap.toFixed(1)} s without an acknowledgement`)
      if (gap > 60 * run.patience)
        run.report({ kind: 'slow', detail: `${gap.toFixed(1)} s without an acknowledgement (${fault})` })
    }
    for (const [fault, seconds] of gaps)
      run.note(`${fault}: ${seconds.join(', ')} s without an acknowledgement`)
    await run.finish()
  },
}

/** Causes a fault, waits until another node leads and writes are acknowledged, and undoes it. */
async function cause(fault: Fault, cluster: PatroniCluster, run: Run): Promise<void> {
  const leader = await cluster.leader()
  const others = cluster.nodes.filter((node) => node !== leader)
  const isBack = async () => {
    if (fault !== 'alone') await cluster.otherLeader(leader)
    await run.waitForRecovery(performance.now(), 60)
  }
  if (fault === 'killed') {
    await leader.signal('SIGKILL')
    await isBack()
    leader.start()
  } else if (fault === 'stopped') {
    // Its Patroni waits for an answer, and goes on when the lock is another's.
    await leader.signal('SIGSTOP', 'postgres')
    await isBack()
    await leader.signal('SIGCONT', 'postgres')
  } else if (fault === 'paused') {
    await leader.signal('SIGSTOP')
    await isBack()
    await leader.signal('SIGCONT')
  } else if (fault === 'cut off') {
    leader.toEtcd.set('half-open')
    await isBack()
    leader.toEtcd.set('none')
  } else {
    await Promise.all(others.map((node) => node.signal('SIGKILL')))
    await isBack()
    for (const node of others) node.start()
  }
}

/** Returns the longest seconds between two acknowledgements since a moment. */
function longestGap(attempts: { began: number; took: number }[], since: number): number {
  const times = attempts.map(({ began, took }) => began + took).filter((at) => at > since)
  let last = since
  let longest = 0
  for (const at of times.toSorted((one, other) => one - other)) {
    longest = Math.max(longest, at - last)
    last = at
  }
  return longest / 1000
}
