// Loaded into the service by `node --import`: answers, over the channel to its parent, how long the event loop was kept
// from other work, by itself or by the machine, and where the time goes. The service itself knows nothing of it.

import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const resolution = 5
const delay = monitorEventLoopDelay({ resolution })
const session = new Session()

// CPU of this thread between two ticks: a turn of the loop that was waiting for a core, or for another thread, took little.
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
  // Both hold what was between two ticks, so a loop that is never kept shows the resolution.
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

// Not in the service's workers: it is the loop that serves everybody which counts.
if (isMainThread) {
  delay.enable()
  setInterval(tick, resolution).unref()
  process.on('message', async ({ ask }) => process.send({ ask, answer: await answers[ask]() }))
  // A service whose bench was killed must not stay behind.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The channel alone must not keep the service alive.
  process.channel.unref()
}
