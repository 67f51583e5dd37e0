// Imports of each kind: what people see of them afterwards, and what nobody is notified of. The samples are made by hand.

import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newFolder, unzip } from '../../../../testing/service/files.ts'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'
import { check } from '../../check/check.ts'
import { exportChat } from '../export-chat.ts'
import { kinds, type Kind } from './records.ts'
import { type ImportOptions, runImport } from './run.ts'

const service = useService()
const samples = path.join(import.meta.dirname, 'samples')

const importInto = (kind: Kind, into: string, more: Partial<ImportOptions> = {}) =>
  runImport({
    databaseUrl: service.databaseUrl,
    config: service.ctx.config,
    from: path.join(samples, kind),
    kind,
    into,
    owner: newWallet(),
    channels: [],
    wallets: new Map(),
    isDry: false,
    ...more,
  })

async function reader(into: string) {
  const wallet = newWallet()
  const client = await service.as(wallet)
  await client.getCommunity({ community: into, address: wallet })
  return {
    wallet,
    client,
    list: () => client.listGroupMessages({ address: into, useraddress: wallet }),
  }
}

async function faults(): Promise<unknown[]> {
  const found: unknown[] = []
  const { databaseUrl, ctx } = service
  await check({
    databaseUrl,
    fileStore: ctx.fileStore,
    onProgress: () => {},
    onFault: (one) => void found.push(one),
  })
  return found
}

const seen = (items: { sender_name: string; message: string }[]) =>
  items.map(({ sender_name: name, message }) => [name, message])

test.for([
  [
    'discord',
    [
      ['Rosa', 'Welcome to the garden, @Basil'],
      ['Basil', 'Thank you! The text after an edit'],
      ['Rosa', 'Tomatoes on Sunday?'],
    ],
    { system: 1, emoji: 2, embed: 1, 'file-away': 1, 'file-outside': 1 },
  ],
  [
    'telegram',
    [
      ['Rosa', 'The plan: the map (https://example.org/map)!'],
      ['Basil', 'I like it'],
      ['Deleted account', 'bye'],
    ],
    { system: 2, direct: 1, 'file-away': 1, empty: 1 },
  ],
  [
    'slack',
    [
      ['Rosa', 'Hi @Basil H, see the plan (https://example.org) & #general'],
      ['Basil H', 'Nice'],
    ],
    { system: 1, emoji: 1, 'file-away': 1 },
  ],
  [
    'mattermost',
    [
      ['Rosa', 'The minutes'],
      ['Basil H', 'In between'],
      ['Basil H', 'Thanks'],
    ],
    { system: 1, direct: 1 },
  ],
  [
    'rocketchat',
    [
      ['Rosa', 'First'],
      ['Basil', 'Second'],
    ],
    { system: 1, direct: 1 },
  ],
] as const)(
  'an export of %s is a chat as it was, and what was not taken is counted',
  async ([kind, shown, left]) => {
    const into = newName('garden')
    const imported = await importInto(kind, into)
    expect(imported.left).toEqual(left)
    expect(imported.chats).toMatchObject([{ chat: into.toLowerCase(), messages: shown.length, pins: 1 }])
    const items = await (await reader(into)).list()
    expect(seen(items)).toEqual(shown)
    const [first] = items
    expect(first).toMatchObject({ pinned: true, timestamp: '2021-03-01T10:00:00.000Z', imported: true })
    expect(items.filter((item) => item.reply_to === first!.id)).toHaveLength(1)
    expect(first!.reactions).toHaveLength(1)
    expect(first!.fromaddr.startsWith(`${kind}:`)).toBe(true)
    expect(items.every((item, n) => n === 0 || item.timestamp > items[n - 1]!.timestamp)).toBe(true)
    expect(first!.files?.length ?? 0).toBe(['slack', 'rocketchat'].includes(kind) ? 0 : 1)
  },
)

/** Writes an export of Discord. */
async function written(folder: string, messages: object[], name = 'general') {
  const file = path.join(folder, `${name}.json`)
  const whole = messages.map((one, n) => ({
    id: String(n + 1),
    type: 'Default',
    timestamp: '2022-01-01T00:00:00.000Z',
    content: `message ${n + 1}`,
    author: { id: String(n % 3), name: `person ${n % 3}` },
    ...one,
  }))
  await writeFile(file, JSON.stringify({ channel: { id: '1', name }, messages: whole }))
  return file
}

test('nobody is notified of history, members have read it, and every counter is right', async () => {
  const into = newName('garden')
  const [owner, ann, ben] = await newCommunity(service, into)
  const [open, settings] = [await listenTo(service, ann.address), { nftaddr: into }]
  await ben.client.setChatNotifications({ ...settings, body: { tell: 'all' } })
  const wallets = new Map([['501', ben.address]])
  const before = await service.ctx.db.query('select 1 as one from graphile_worker._private_jobs')
  await importInto('discord', into, { wallets })
  await service.runJobs()
  await ann.post('after it')
  await expect.poll(() => open.events().filter(({ type }) => type === 'group-message')).toHaveLength(1)
  await open[Symbol.asyncDispose]()
  expect(JSON.stringify(open.events())).not.toContain('Tomatoes')
  expect(await service.ctx.db.query('select 1 as one from graphile_worker._private_jobs')).toEqual(before)
  expect([await ben.unread(), await owner.unread()]).toEqual([1, 1])
  const items = await ben.read()
  expect(items.map(({ message, fromaddr }) => [message.slice(0, 8), fromaddr === ben.address])).toEqual([
    ['Welcome ', true],
    ['Thank yo', false],
    ['Tomatoes', true],
    ['after it', false],
  ])
  expect((await ben.row()).message).toBe('after it')
  const found = await ben.client.search({ body: { q: 'tomatoes', chat: into } })
  expect(found.map((one) => 'item' in one && one.item.message)).toEqual(['Tomatoes on Sunday?'])
  const [imported] = items.slice(1)
  const body = { fromaddr: ann.address, toaddr: imported!.fromaddr, message: 'hello?' }
  await expect(ann.client.sendDirectMessage({ body })).rejects.toThrow(
    /imported from Discord and has no wallet/,
  )
  expect(await faults()).toEqual([])
})

test('an import that was killed goes on, and the same export again adds nothing', async () => {
  await using folder = await newFolder('import')
  const into = newName('garden')
  const from = await written(
    folder.path,
    Array.from({ length: 1100 }, () => ({})),
  )
  const owner = newWallet()
  let parts = 0
  const killed = importInto('discord', into, {
    from,
    owner,
    onProgress: (what) => {
      if (what === 'general' && ++parts === 1) throw new Error('killed')
    },
  })
  await expect(killed).rejects.toThrow('killed')
  const { wallet, list, client } = await reader(into)
  expect(await client.countUnreadOfChat({ address: into, useraddress: wallet })).toBe(0)
  expect(await list()).not.toHaveLength(0)
  // Somebody writes meanwhile: what follows of the import still precedes it.
  await client.postGroupMessage({ body: { fromaddr: wallet, nftaddr: into, message: 'hello' } })
  expect(await faults()).toEqual([])
  await importInto('discord', into, { from, owner })
  const [again] = (await importInto('discord', into, { from, owner })).chats
  expect(again).toMatchObject({ again: true })
  const newest = await client.listGroupMessages({
    address: into,
    useraddress: wallet,
    query: { limit: 2, before: Number.MAX_SAFE_INTEGER },
  })
  expect(newest.map(({ message }) => message).toSorted()).toEqual(['hello', 'message 1100'])
  const [{ posted }] = (await service.ctx.db.query<{ posted: number }>(
    'select posted from group_chats where chat = $1',
    [into.toLowerCase()],
  )) as [{ posted: number }]
  expect(posted).toBe(1101)
  expect(await faults()).toEqual([])
})

test('several channels become rooms of the community, and one goes where it is said', async () => {
  await using folder = await newFolder('import')
  await written(folder.path, [{}, {}], 'general')
  await written(folder.path, [{ content: 'tools' }], 'Tools & sheds?')
  const into = newName('garden')
  const from = folder.path
  await expect(importInto('discord', into, { from })).rejects.toThrow(/--channel "Tools & sheds\?="/)
  const channels = ['general', 'Tools & sheds?=tools']
  const { chats } = await importInto('discord', into, { from, channels })
  expect(chats.map(({ chat, messages }) => [chat, messages])).toEqual([
    [`${into.toLowerCase()}/general`, 2],
    [`${into.toLowerCase()}/tools`, 1],
  ])
  const wallet = newWallet()
  const client = await service.as(wallet)
  const rooms = await client.listRooms({ community: into })
  expect(rooms.map(({ title }) => title)).toEqual(['general', 'Tools & sheds?'])
  const items = await client.listGroupMessages({ address: `${into}/tools`, useraddress: wallet })
  expect(seen(items)).toEqual([['person 0', 'tools']])
  expect(await faults()).toEqual([])
})

test('a chat leaves as an archive, which is the same chat elsewhere', async () => {
  await using folder = await newFolder('export')
  const { databaseUrl, ctx } = service
  const leave = async (nftaddr: string, to: string) => {
    const counts = await exportChat({ databaseUrl, fileStore: ctx.fileStore, nftaddr, to })
    const all = await unzip(await readFile(to))
    const lines = all.get('chat.jsonl')!.toString().trim().split('\n')
    const messages = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'message')
    const at = (id: string) => messages.findIndex((one) => one.id === id)
    const names = [...all.keys()].filter((name) => name.startsWith('files/')).toSorted()
    const bytes = messages
      .flatMap((one) => one.files ?? [])
      .map(({ path: file }) => all.get(file)?.toString())
    const same = messages.map(({ id, reply_to: reply, files, ...one }) => [
      {
        ...one,
        chat: '',
        reply: reply && at(reply),
        named: files?.map(({ name }: { name: string }) => name),
      },
      at(id),
    ])
    return { counts, same, bytes, names, text: all.get('README.txt')!.toString() }
  }
  const [one, other] = [newName('garden'), newName('garden')]
  await importInto('discord', one)
  const [first, second] = [path.join(folder.path, '1.zip'), path.join(folder.path, '2.zip')]
  const left = await leave(one, first)
  expect(left).toMatchObject({
    counts: { messages: 3, files: 1 },
    text: expect.stringContaining('parley import'),
  })
  expect(left.bytes).toEqual(['minutes of the first meeting\n'])
  await expect(leave(one, first)).rejects.toThrow(/exists already/)
  const { left: lost } = await importInto('parley', other, { from: first })
  expect(lost).toEqual({})
  expect((await leave(other, second)).same).toEqual(left.same)
  await expect(leave('nobody-here', path.join(folder.path, '3.zip'))).rejects.toThrow(/There is no chat/)
  expect(await faults()).toEqual([])
})

test('a chat that has messages, another export and a community of nobody are refused, and nothing is changed', async () => {
  const into = newName('garden')
  const [owner] = await newCommunity(service, into, 0)
  const other = newName('garden')
  await expect(importInto('discord', other, { owner: undefined })).rejects.toThrow(/Say --owner/)
  const dry = await importInto('discord', other, { isDry: true })
  expect(dry.chats).toMatchObject([{ messages: 3, people: 2, files: 1, reactions: 3, pins: 1 }])
  await expect(reader(other)).rejects.toThrow(/community/)
  await owner.post('mine')
  await expect(importInto('discord', into)).rejects.toThrow(/has messages of its own/)
  await importInto('slack', other)
  await expect(importInto('discord', other)).rejects.toThrow(/Something else was imported/)
  await expect(importInto('slack', into, { channels: ['nowhere'] })).rejects.toThrow(/It has: general/)
})

test('an export that somebody made to do harm is refused with words, or cleaned, and reads nothing outside', async () => {
  await using folder = await newFolder('import')
  const hostile = [
    {
      content: '\u0000\u0007<script>alert(1)</script>\ud800',
      author: { id: '../../x', name: '\u202eRosa\u0000\n<b>' },
    },
    { timestamp: '0001-01-01T00:00:00Z' },
    { timestamp: '2999-01-01T00:00:00Z' },
    { timestamp: {}, author: null },
    {
      attachments: [
        { url: '../../etc/passwd', fileName: 'a' },
        { url: '%2e%2e%2fx', fileName: 'b' },
      ],
    },
    {
      reactions: [
        { emoji: { name: '🌱' }, count: 1e15 },
        { emoji: { name: '<b>' }, count: -1 },
      ],
    },
    { id: '\u0000', content: 'x'.repeat(100_000) },
    { id: '5' },
  ]
  const from = await written(folder.path, hostile)
  const into = newName('garden')
  const { left } = await importInto('discord', into, { from })
  expect(left).toEqual({
    time: 2,
    unreadable: 1,
    'file-outside': 2,
    reactions: 1e15 - 1000,
    emoji: 1,
    cut: 1,
    twice: 1,
  })
  const [first] = await (await reader(into)).list()
  expect(first).toMatchObject({ message: '<script>alert(1)</script>\ufffd', sender_name: 'Rosa <b>' })
  expect(first!.fromaddr).toMatch(/^discord:x[0-9a-f]+$/)
  const broken = path.join(folder.path, 'broken.json')
  await writeFile(broken, '{"channel":{"name":"a"},"messages":[{"id"')
  await expect(importInto('discord', newName('garden'), { from: broken })).rejects.toThrow(
    /ends in the middle/,
  )
  const deep = path.join(folder.path, 'deep.json')
  await writeFile(deep, `{"channel":{"name":"a"},"messages":[${'['.repeat(100_000)}`)
  await expect(importInto('discord', newName('garden'), { from: deep })).rejects.toThrow(/cannot be read/)
  await expect(importInto('slack', newName('garden'), { from: folder.path })).rejects.toThrow(
    /no export of Slack/,
  )
  for (const kind of kinds)
    await expect(importInto(kind, newName('garden'), { from: '/nowhere' })).rejects.toThrow(
      /There is no file/,
    )
  expect(await faults()).toEqual([])
})

test('an archive that unpacks to far more than it is, names and links that lead out of it, and too many channels are refused', async () => {
  await using folder = await newFolder('import')
  const at = (name: string) => path.join(folder.path, name)
  const refused = (kind: Kind, from: string) => expect(importInto(kind, newName('garden'), { from })).rejects
  const zipped = async (name: string, bytes: Buffer) => {
    const zip = new ZipFile()
    zip.addBuffer(bytes, name)
    zip.end()
    return buffer(zip.outputStream as Readable)
  }
  await writeFile(at('bomb.zip'), await zipped('general.json', Buffer.alloc(65 * 2 ** 20, ' ')))
  await refused('discord', at('bomb.zip')).toThrow(/unpacks to more than 300 times its size/)
  const outside = await zipped('aa/general.json', Buffer.from('{}'))
  await writeFile(at('outside.zip'), outside.toString('latin1').replaceAll('aa/', '../'), 'latin1')
  await refused('discord', at('outside.zip')).toThrow(/cannot be read: invalid relative path/)

  await mkdir(at('linked'))
  await symlink('/etc/passwd', at('linked/secret.txt'))
  const attachments = [{ url: 'secret.txt', fileName: 'secret.txt' }]
  const { left } = await importInto('discord', newName('garden'), {
    from: path.dirname(await written(at('linked'), [{ attachments }])),
  })
  expect(left).toEqual({ 'file-outside': 1 })

  const message = { id: 1, type: 'message', date_unixtime: '1600000000', from_id: 'user1', text: 'x' }
  const list = Array.from({ length: 10_001 }, (_, n) => ({
    name: `c${n}`,
    type: 'group',
    messages: [message],
  }))
  await writeFile(at('result.json'), JSON.stringify({ chats: { list } }))
  await refused('telegram', at('result.json')).toThrow(/more than 10000 channels/)
  expect(await faults()).toEqual([])
})
