// This is an agent in a process of its own, for tests that kill it. With AGENT_STREAMS its answers grow. No two of its processes answer in the same words.

import { agent, fileStore, type Handled } from '@parley/sdk/agent'
import { setTimeout as sleep } from 'node:timers/promises'

const { PARLEY_URL = '', PARLEY_API_KEY = '', AGENT_FILE = '', AGENT_STREAMS } = process.env

async function* parts(text: string) {
  for (const part of [text, ' is', ' the', ' end']) {
    yield part
    await sleep(400)
  }
}
const answer = ({ id, reply, stream }: Handled) => {
  const text = `${id} by ${process.pid}`
  return AGENT_STREAMS ? stream(parts(text)) : reply(text)
}

process.on('SIGTERM', () => stop.abort())
const stop = new AbortController()
await agent({
  baseUrl: PARLEY_URL,
  key: PARLEY_API_KEY,
  store: fileStore(AGENT_FILE),
  onReady: () => console.log('ready'),
  onError: (error, message) => console.log('error', message?.id, String(error)),
})
  .on('dm', answer)
  .on('mention', answer)
  .run(stop.signal)
