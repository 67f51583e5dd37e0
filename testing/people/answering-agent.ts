// This is an agent in a process of its own, for tests that kill it. No two of its processes answer in the same words.

import { agent, fileStore } from '@parley/sdk/agent'

const { PARLEY_URL = '', PARLEY_API_KEY = '', AGENT_FILE = '' } = process.env

process.on('SIGTERM', () => stop.abort())
const stop = new AbortController()
await agent({
  baseUrl: PARLEY_URL,
  key: PARLEY_API_KEY,
  store: fileStore(AGENT_FILE),
  onReady: () => console.log('ready'),
  onError: (error, message) => console.log('error', message?.id, String(error)),
})
  .on('dm', ({ id, reply }) => reply(`${id} by ${process.pid}`))
  .on('mention', ({ id, reply }) => reply(`${id} by ${process.pid}`))
  .run(stop.signal)
