// What has a maximum: every endpoint that adds such a thing declares it, and refuses one more in one way.

import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { type Contract, contract } from '@parley/sdk/contract/index.ts'
import { mostDrafts } from '@parley/sdk/contract/drafts.ts'
import { mostGuestKeys } from '@parley/sdk/contract/guest-keys.ts'
import { mostInChat } from '@parley/sdk/contract/commands.ts'
import { mostModerators, mostRestricted } from '@parley/sdk/contract/chat-moderation-models.ts'
import { mostRooms } from '@parley/sdk/contract/rooms.ts'
import { mostInChatTeam } from '@parley/sdk/contract/chat-team.ts'
import { mostOfficial } from '@parley/sdk/contract/official.ts'
import { mostClaims } from '@parley/sdk/contract/moving.ts'
import { mostPins } from '@parley/sdk/contract/pins.ts'
import { mostWebhooks } from '@parley/sdk/contract/webhooks.ts'
import { expect, test } from 'vitest'
import { chatMember, newCommunity } from '../../testing/people/chat-members.ts'
import { codeFor, fillClaims } from '../../testing/people/moving-here.ts'
import { addOperator } from '../../testing/people/moderators.ts'
import { requestOf } from '../../testing/cases/callers.ts'
import { newWallet, useService } from '../../testing/service/service.ts'
import { chatKey } from '../src/messages/chat-key.ts'
import { forEachLimited } from '../src/lib/for-each-limited.ts'
import { forever } from '../src/messages/shared-sql.ts'
import { chatBucket } from '../src/values/bucket.ts'

type Adding = {
  [Name in keyof Contract]: Contract[Name] extends { adds: string } ? Name : never
}[keyof Contract]

/** How to reach the maximum, and how to add one more. */
interface Case {
  most: number | string
  /** Where it takes many calls: in the database. */
  fill?: () => Promise<unknown>
  add: (n: number) => Promise<unknown>
}

const inAll = { contactsInAll: 2, bookmarksInAll: 3, communitiesInAll: 2, filesOfWallet: 2 }

/** The endpoints that cannot reach their maximum by repeating their example. */
async function casesOf(): Promise<Partial<Record<Adding, Case>>> {
  const nftaddr = 'Gardeners'
  const [owner] = await newCommunity(service, nftaddr, 0)
  const [{ client, address: walletaddr }, bot] = [
    await chatMember(service, nftaddr),
    await chatMember(service, nftaddr),
  ]
  await bot.client.becomeBot()
  const chat = chatKey(nftaddr)
  const insert = (into: string, values: string, most: number) => () =>
    service.ctx.db.query(`insert into ${into} select $1, $2, ${values} from unnest($3::text[]) as one`, [
      chatBucket(chat),
      chat,
      Array.from({ length: most }, newWallet),
    ])
  return {
    claimImported: {
      most: mostClaims,
      fill: () => fillClaims(service.ctx.db, walletaddr),
      add: async () =>
        client.claimImported({ body: { code: await codeFor(service.ctx.db, 'discord:1234') } }),
    },
    createWebhook: {
      most: mostWebhooks,
      add: () =>
        client.createWebhook({ body: { url: 'https://example.org/hook', events: ['message.direct'] } }),
    },
    createDraft: { most: mostDrafts, add: () => client.createDraft({ body: { nftaddr, message: 'gm' } }) },
    storeGuestKey: {
      most: mostGuestKeys,
      add: (n) =>
        client.storeGuestKey({
          address: walletaddr,
          guest_key: `${n}`.repeat(43),
          body: { data: 'k'.repeat(80) },
        }),
    },
    setContact: {
      most: inAll.contactsInAll,
      add: () => client.setContact({ peer: newWallet(), body: { alias: 'somebody' } }),
    },
    createReport: {
      most: inAll.contactsInAll,
      add: () => bot.client.createReport({ body: { peer: newWallet(), reason: 'spam', block: true } }),
    },
    joinChat: {
      most: inAll.bookmarksInAll,
      // The first one is that of its chat.
      add: (n) => client.joinChat({ body: { walletaddr, nftaddr: n === 0 ? nftaddr : newWallet() } }),
    },
    createCommunity: {
      most: inAll.communitiesInAll,
      add: (n) => client.createCommunity({ body: { community: ['Roses', 'Tulips', 'Daisies'][n]! } }),
    },
    createFile: {
      most: inAll.filesOfWallet,
      add: () => client.createFile({ body: { toaddr: newWallet(), size: 2 ** 20, sha256: '0'.repeat(64) } }),
    },
    setCommands: {
      most: `${mostInChat} commands of all bots of this chat`,
      async fill() {
        const words = `'${newWallet()}', one, '', ${service.ctx.db.now()}`
        await insert('chat_commands (bucket, chat, walletaddr, word, description, ms)', words, mostInChat)()
        await service.ctx.db.query(
          `insert into group_visits (bucket, chat, walletaddr, joined)
           select distinct bucket, chat, walletaddr, true from chat_commands`,
        )
      },
      add: () =>
        bot.client.setCommands({ nftaddr, body: { commands: [{ word: 'water', description: '' }] } }),
    },
    pinMessage: {
      most: mostPins,
      add: async () => owner.client.pinMessage({ id: (await owner.post('gm')).id }),
    },
    addModerator: {
      most: mostModerators,
      fill: insert('chat_roles', `one, 'moderator', 1`, mostModerators),
      add: () => owner.client.addModerator({ nftaddr, walletaddr: newWallet() }),
    },
    createRoom: {
      most: mostRooms,
      async fill() {
        await service.ctx.db.query(
          `insert into rooms (bucket, chat, parent, title, about, position, kind, by_default, skeletons, created_ms)
           select k.bucket, k.chat || '/r' || n, k.chat, '', '', n, 'text', false, array['r' || n], 0
           from communities k, generate_series(1, ${mostRooms}) n where k.community = $1`,
          [nftaddr],
        )
      },
      add: () => owner.client.createRoom({ community: nftaddr, body: { room: 'onemore' } }),
    },
    addToChatTeam: {
      most: mostInChatTeam,
      add: () => owner.client.addToChatTeam({ nftaddr, walletaddr: newWallet(), body: { label: 'Florist' } }),
    },
    addOfficial: {
      most: mostOfficial,
      async fill() {
        await addOperator(service, walletaddr)
        await service.ctx.db.query(
          `insert into officials (address, label, named_by, since_ms) select one, 'Support', 'a test', 1 from unnest($1::text[]) as one`,
          [Array.from({ length: mostOfficial }, newWallet)],
        )
      },
      add: () => client.addOfficial({ walletaddr: newWallet(), body: { label: 'Support' } }),
    },
    restrictMember: {
      most: mostRestricted,
      fill: insert('chat_restrictions', `one, ${forever}, 0, '', 1`, mostRestricted),
      add: () => owner.restrict(newWallet(), { banned_until: 'forever' }),
    },
  }
}

const addings = Object.entries<Endpoint>(contract).flatMap(([name, { adds }]) =>
  adds ? [[name as Adding, adds] as const] : [],
)

/** Repeats the example of an endpoint more often than its maximum, by a new wallet that may post in the chat of the example. */
async function repeating(name: Adding): Promise<Case> {
  const { address, client } = await chatMember(service, 'gardeners')
  const { payload: body } = requestOf(contract[name], address)
  const call = client[name] as (input: object) => Promise<unknown>
  return { most: 50, add: () => call({ body }) }
}

const service = useService(inAll)

test('what has a maximum is refused in one way beyond it, also when many ask at once', async () => {
  const cases = await casesOf()
  for (const [name, adds] of addings) {
    const one = cases[name]
    const { most, fill, add } = one ?? (await repeating(name))
    if (fill) await fill()
    const count = typeof most === 'number' && !fill ? most + 1 : 1
    const refused: unknown[] = []
    // More at once might wait too long for the database.
    await forEachLimited(Array(count).keys(), 10, (n) =>
      add(n).catch((error: unknown) => refused.push(error)),
    )
    const there = one ? most : count - refused.length
    const said =
      typeof there === 'number'
        ? adds.replace('{most}', there.toLocaleString('en'))
        : `With this there would be more than ${there}`
    const refusal = expect.objectContaining({
      status: 409,
      code: 'limit_reached',
      message: expect.stringMatching(new RegExp(`^${said}, the maximum\\. .+`)),
    })
    expect(one ? refused : refused.slice(0, 1), name).toEqual([refusal])
    expect(refused, name).toEqual(refused.map(() => refusal))
  }
})

test('an endpoint that adds such a thing says so in the API reference', async () => {
  const { paths } = (await service.app.inject('/docs/json')).json()
  const documented = Object.values<Record<string, { operationId: string; responses: object }>>(paths).flatMap(
    (operations) =>
      Object.values(operations).flatMap(({ operationId, responses }) =>
        '409' in responses ? [operationId] : [],
      ),
  )
  expect(documented.toSorted()).toEqual(addings.map(([name]) => name).toSorted())
})

test('one file alone makes that refusal, for the handlers of endpoints that declare it', async () => {
  const root = path.join(import.meta.dirname, '../src')
  const files = (await readdir(root, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/.test(file))
  const texts = await Promise.all(files.map((file) => readFile(path.join(root, file), 'utf8')))
  expect(files.filter((_, n) => texts[n]!.includes(`'limit_reached'`))).toEqual(['limits/limit-reached.ts'])
})
