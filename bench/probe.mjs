// Loaded into the service by `node --import`: answers, over the channel to its parent, how long the event loop was kept
// from other work, and where the time goes. The service itself knows nothing of it.

import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const resolution = 5
const delay = monitorEventLoopDelay({ resolution })
const session = new Session()

const answers = {
  reset: () => delay.reset(),
  // The histogram holds the time between two ticks, so a loop that is never kept shows the resolution.
  delay: () => Math.max(0, delay.max / 1e6 - resolution),
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
  process.on('message', async ({ ask }) => process.send({ ask, answer: await answers[ask]() }))
  // A service whose bench was killed must not stay behind.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The channel alone must not keep the service alive.
  process.channel.unref()
}
