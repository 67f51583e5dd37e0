// `node --import` loads this into the service. Over the channel to its parent it reports how long the event loop was delayed, by
// the service or by the machine, and where the time goes. The service itself knows nothing about it.

import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const resolution = 5
const delay = monitorEventLoopDelay({ resolution })
const session = new Session()

// This counts the CPU of this thread between two ticks: waiting for a core or for another thread does not count.
let tickedAt = 0
let busiest = 0
const cpu = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
function tick() {
  const now = cpu()
  busiest = Math.max(busiest, now - tickedAt)
  tickedAt = now
}

const answers = {
  reset: () => {
    delay.reset()
    tickedAt = cpu()
    busiest = 0
  },
  // Both are measured between two ticks, so a loop without delays shows the resolution.
  loop: () => ({
    delay: Math.max(0, delay.max / 1e6 - resolution),
    busy: Math.max(0, busiest - resolution),
  }),
  'profile-start': async () => {
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
  },
  'profile-stop': async () => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    return profile
  },
}

// It does not run in the service's worker threads: the main event loop serves every client. It does not run either in a
// process that prepares the service, such as the build of the web client: that has no channel to the benchmark.
if (isMainThread && process.channel) {
  delay.enable()
  setInterval(tick, resolution).unref()
  // The processes of a service also send each other messages.
  process.on('message', async ({ ask }) => {
    if (answers[ask]) process.send({ ask, answer: await answers[ask]() })
  })
  // A service whose benchmark was killed must end too.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The channel by itself must not hold the service alive.
  process.channel.unref()
}
