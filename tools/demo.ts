// This script shows what the service does: two new wallets sign in, send messages, join chats, comment, and read their inboxes.
// `npm run demo [-- --url <address>]` uses the service at that address (PUBLIC_URL or http://127.0.0.1:8080 by default), and
// starts one when none runs there.

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createClient, signInWith } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const { values } = parseArgs({ options: { url: { type: 'string' }, help: { type: 'boolean' } } })
if (values.help) {
  console.log(
    'Usage: npm run demo [-- --url http://127.0.0.1:8080]\n\nTwo new wallets sign in, exchange messages and read their inboxes.',
  )
  process.exit()
}

const asked = values.url ?? process.env.PUBLIC_URL ?? 'http://127.0.0.1:8080'
await using service = (await answers(asked))
  ? { url: asked, isOwn: false, [Symbol.asyncDispose]: async () => {} }
  : await startService()
const baseUrl = service.url

const punks = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'
const alice = await newcomer('Alice')
const bob = await newcomer('Bob')

const [sent] = await alice.parley.sendDirectMessage({
  body: { fromaddr: alice.address, toaddr: bob.address, message: 'gm Bob, is the punk still for sale?' },
})
say('Alice → Bob', sent!.message)

const [row] = await bob.parley.getInbox({ address: bob.address })
say("Bob's inbox", `${row!.unread} unread, last: "${row!.message}"`)

const [answer] = await bob.parley.sendDirectMessage({
  body: {
    fromaddr: bob.address,
    toaddr: alice.address,
    message: 'It is. Have a look first.',
    nftaddr: punks,
    nftid: '721',
  },
})
say('Bob → Alice', `${answer!.message} (about token ${answer!.nftid} of ${answer!.nftaddr})`)

await bob.parley.markDirectMessage({
  fromaddr: alice.address,
  toaddr: bob.address,
  body: { ...sent!, read: true },
})
const read = await alice.parley.listReadMessages({ fromaddr: alice.address, toaddr: bob.address })
say('Read receipt', `Bob has read "${read[0]!.message}"`)

say(
  'Unread',
  `Alice ${await alice.parley.countUnread({ address: alice.address })}, Bob ${await bob.parley.countUnread({ address: bob.address })}`,
)
const conversation = await alice.parley.listConversation({ fromaddr: alice.address, toaddr: bob.address })
console.log('\nThe conversation, as both see it:')
for (const { timestamp, fromaddr, message } of conversation)
  console.log(`  ${timestamp}  ${fromaddr === alice.address ? 'Alice' : 'Bob  '}  ${message}`)

// The collection is on no chain, so its chat is open to all, whatever chains are configured.
const collection = generatePrivateKey().slice(0, 42)
console.log('')
await alice.parley.setName({ body: { address: alice.address, name: `alice-${alice.address.slice(2, 8)}` } })
await alice.parley.createProfilePicture({ body: { addr: alice.address, base64data: picture() } })
const [named] = await bob.parley.getName({ name: alice.address })
const [pictured] = await bob.parley.getImage({ addr: alice.address })
say('A name', `${named!.name}, with a picture of ${pictured!.base64data.length} characters`)

const town = `town-${alice.address.slice(2, 8)}`
await alice.parley.createCommunity({
  body: { community: town, social: [{ type: 'website', name: 'town.example' }] },
})
await bob.parley.joinChat({ body: { walletaddr: bob.address, nftaddr: town } })
await alice.parley.postCommunityMessage({
  body: { fromaddr: alice.address, nftaddr: town, message: 'Welcome to town' },
})
await alice.parley.postGroupMessage({
  body: { fromaddr: alice.address, nftaddr: collection, message: 'gm all' },
})
await bob.parley.joinChat({ body: { walletaddr: bob.address, nftaddr: collection, chain: 'ethereum' } })
for (const chat of await bob.parley.getInbox({ address: bob.address }))
  say(
    "Bob's inbox",
    `${chat.context_type.padEnd(9)} ${chat.unread} unread  ${chat.sender_name || chat.fromaddr}: ${chat.message}`,
  )
const [community] = await bob.parley.getCommunity({ community: town, address: bob.address })
say('Landing page', `${community!.name}, ${community!.members} member, "${community!.messages[0]!.message}"`)

const longest = (2n ** 256n - 1n).toString()
await bob.parley.createComment({
  body: { fromaddr: bob.address, nftaddr: collection, nftid: longest, message: 'Nice hat' },
})
const comments = await alice.parley.countComments({ nftaddr: collection, nftid: longest })
say('Comments', `${comments} on token ${longest.slice(0, 12)}… of ${collection}`)

if (!service.isOwn || process.stdout.isTTY) {
  console.log(
    `\nOpen this in your browser to see the conversation as Alice:\n${baseUrl}/throw-away?to=/dm/${bob.address}#${alice.key}`,
  )
  // The demo's own service ends with the demo.
  if (service.isOwn) await untilInterrupt()
} else
  console.log('\nTo see the conversation in a browser, run npm start, and this demo once more beside it.')

async function newcomer(name: string) {
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  const { token, expiresIn } = await signInWith(
    { baseUrl },
    { address: account.address, signMessage: (message) => account.signMessage({ message }) },
  )
  const address = account.address.toLowerCase()
  say(name, `${address} signed in for ${expiresIn / 3600} hours`)
  return { address, key, parley: createClient({ baseUrl, token }) }
}

function say(who: string, what: string) {
  console.log(`${who.padEnd(13)} ${what}`)
}

function untilInterrupt(): Promise<void> {
  console.log('The service runs until you press Ctrl-C.')
  return new Promise((resolve) => process.once('SIGINT', resolve))
}

/** Returns one violet pixel as PNG. */
function picture(): string {
  return 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQI12OosXoLAALZAaTXCstVAAAAAElFTkSuQmCC'
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/docs/json`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Starts a service on a new data directory, for people who run the demo before they start one. */
async function startService() {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'parley-demo-'))
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  const url = `http://127.0.0.1:${port}`
  console.log('No service is running here (npm start), so the demo starts one.\n')
  const main = path.join(import.meta.dirname, '../server/src/main.ts')
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    ALLOWED_DOMAINS: '',
  }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error('The service did not start; see above.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    isOwn: true,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
