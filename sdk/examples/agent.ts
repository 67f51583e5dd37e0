// An agent answers for a wallet. It is stopped and started again, and answers what came meanwhile, each message once.

import { createClient } from '@parley/sdk'
import { agent, fileStore } from '@parley/sdk/agent'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { baseUrl, newWallet } from './wallet.ts'

const [alice, bot] = await Promise.all([newWallet(), newWallet()])
const ofAlice = createClient({ baseUrl, token: alice.token })
const ofBot = createClient({ baseUrl, token: bot.token })
const conversation = { fromaddr: alice.address, toaddr: bot.address }
const write = (message: string) => ofAlice.sendDirectMessage({ body: { ...conversation, message } })
const answers = async () =>
  (await ofAlice.listConversation(conversation)).filter(
    ({ fromaddr }) => fromaddr !== alice.address.toLowerCase(),
  )

// The key may read and answer, and nothing else. A program of yours gets it from a person, who makes it in the settings.
const [made] = await ofBot.createApiKey({ body: { label: 'agent', scopes: ['inbox:read', 'dm:send'] } })
await ofBot.setContact({ peer: alice.address, body: { state: 'accepted' } })
const file = path.join(await mkdtemp(path.join(tmpdir(), 'agent-')), 'agent.json')

/** Answers until there are so many answers. */
async function answerUntil(count: number, onReady?: () => void): Promise<void> {
  await using _ = agent({ baseUrl, key: made!.key!, store: fileStore(file), ...(onReady && { onReady }) })
    .on('dm', ({ text, reply }) => reply(`You wrote: ${text}`))
    .start()
  while ((await answers()).length < count) await sleep(50)
}

await answerUntil(1, () => void write('are you there?'))
await write('you were away')
await answerUntil(2)
for (const { message } of await answers()) console.log(message)
