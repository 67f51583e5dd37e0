import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { begin, download, upload } from '../../../../testing/people/uploading.ts'
import { newName, newWallet, type Service, useService } from '../../../../testing/service/service.ts'

const service = useService()
const bytes = randomBytes(2000)

async function person(on: Service = service) {
  const address = newWallet()
  const client = await on.as(address)
  const send = async (toaddr: string, files?: string[], more: object = {}, options = {}) => {
    const body = { fromaddr: address, toaddr, message: 'a picture', ...(files && { files }), ...more }
    return (await client.sendDirectMessage({ body }, options))[0]!
  }
  return {
    address,
    client,
    send,
    upload: (toaddr: string, name = 'a.bin') => upload(client, { toaddr, name }, bytes),
    list: (peer: string) => client.listConversation({ fromaddr: address, toaddr: peer }),
    reads: (file: string) =>
      download(client, file).then(
        (read) => read.equals(bytes),
        ({ code }: { code: string }) => code,
      ),
  }
}

test('a message shows its files in their order, everywhere, and both ends read them', async () => {
  const [alice, bob, eve] = [await person(), await person(), await person()]
  await using stream = await listenTo(service, bob.address)
  const [one, two] = [await alice.upload(bob.address, 'one.bin'), await alice.upload(bob.address, 'two.bin')]
  const files = [
    { id: two.id, size: 2000, name: 'two.bin' },
    { id: one.id, size: 2000, name: 'one.bin' },
  ]
  const sent = await alice.send(bob.address, [two.id, one.id])
  expect(sent.files).toEqual(files)
  expect(await bob.list(alice.address)).toEqual([sent])
  await expect.poll(() => stream.events().map((event) => 'item' in event && event.item)).toContainEqual(sent)
  const plain = await alice.send(bob.address)
  expect(plain).not.toHaveProperty('files')
  expect((await bob.list(alice.address)).map((item) => 'files' in item)).toEqual([true, false])
  for (const each of [alice, bob]) expect(await each.reads(two.id)).toBe(true)
  expect(await eve.reads(two.id)).toBe('not_found')
})

test('a row of the inbox has the files of its last message without what no line says, and another one has none', async () => {
  const nftaddr = newName('town')
  const [owner, bob] = await newCommunity(service, nftaddr, 1)
  const about = {
    name: 'a.bin',
    width: 60,
    height: 40,
    alt: 'A green wall',
    thumbhash: '3OcRJYB4d3h_iIeHeEh3eIhw-j3A',
  }
  const rows = async (who: { address: string; client: typeof owner.client }) =>
    (await who.client.getInbox({ address: who.address, query: { view: 'all' } })).map(
      ({ context_type, files }) => [context_type, files],
    )
  const one = await upload(owner.client, { toaddr: bob.address, ...about }, bytes)
  const two = await upload(owner.client, { toaddr: bob.address, name: 'b.bin' }, bytes)
  const post = await upload(owner.client, { nftaddr, ...about }, bytes)
  const [fromaddr, toaddr, message] = [owner.address, bob.address, 'a picture']
  await owner.client.sendDirectMessage({ body: { fromaddr, toaddr, message, files: [two.id, one.id] } })
  await owner.client.postGroupMessage({ body: { fromaddr, nftaddr, message, files: [post.id] } })
  const shown = { size: 2000, name: 'a.bin', width: 60, height: 40 }
  for (const who of [owner, bob])
    expect(await rows(who)).toEqual([
      ['community', [{ id: post.id, ...shown }]],
      [
        'dm',
        [
          { id: two.id, size: 2000, name: 'b.bin' },
          { id: one.id, ...shown },
        ],
      ],
    ])
  await owner.client.sendDirectMessage({ body: { fromaddr, toaddr, message } })
  await owner.client.postGroupMessage({ body: { fromaddr, nftaddr, message } })
  expect(await rows(bob)).toEqual([
    ['community', undefined],
    ['dm', undefined],
  ])
})

test('a file is shown as its uploader describes it: its size in pixels, a small picture, a text for who cannot see it', async () => {
  const [alice, bob] = [await person(), await person()]
  const described = {
    width: 1200,
    height: 800,
    duration: 4200,
    wave: 'AEB_',
    thumbhash: '3OcRJYB4d3h',
    alt: 'A 🌿 garden',
  }
  const file = await upload(alice.client, { toaddr: bob.address, name: 'a.webm', ...described }, bytes)
  expect(file).toMatchObject(described)
  await alice.send(bob.address, [file.id])
  const [item] = await bob.list(alice.address)
  expect(item!.files).toEqual([{ id: file.id, size: 2000, name: 'a.webm', ...described }])
  for (const wrong of [
    { width: 1200 },
    { height: 800 },
    { width: 0, height: 1 },
    { width: 1e6, height: 1 },
    { duration: -1 },
    { wave: '' },
    { wave: 'A' },
    { wave: 'ABCDE' },
    { wave: 'A+/B' },
    { wave: 'A'.repeat(344) },
    { thumbhash: 'AAAA' },
    { thumbhash: 'A'.repeat(35) },
    { alt: '' },
    { alt: 'é'.repeat(501) },
    { alt: 'bell \u0007' },
    { sealed: true, alt: 'A garden' },
    { sealed: true, width: 1, height: 1 },
  ])
    await expect(begin(alice.client, { toaddr: bob.address, ...wrong }, bytes)).rejects.toMatchObject({
      code: 'bad_request',
    })
})

test('a file is sent once, whole, by its uploader, in its place; else nothing is sent', async () => {
  const [alice, bob, eve] = [await person(), await person(), await person()]
  const file = await alice.upload(bob.address)
  const part = await begin(alice.client, { toaddr: bob.address }, bytes)
  const good = await alice.upload(bob.address)
  const refusal = {
    code: 'not_found',
    message: expect.stringContaining('no such file for this conversation'),
  }
  await expect(alice.send(eve.address, [file.id])).rejects.toMatchObject(refusal)
  await expect(bob.send(alice.address, [file.id])).rejects.toMatchObject(refusal)
  await expect(eve.send(bob.address, [file.id])).rejects.toMatchObject(refusal)
  await expect(alice.send(bob.address, [good.id, part.id])).rejects.toMatchObject(refusal)
  for (const files of [[], [good.id, good.id], ['x'], Array<string>(11).fill(good.id)])
    await expect(alice.send(bob.address, files)).rejects.toMatchObject({ code: 'bad_request' })
  await expect(alice.send(bob.address, [good.id], { message: '' })).rejects.toMatchObject({
    code: 'bad_request',
  })
  expect(await bob.list(alice.address)).toEqual([])
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => alice.send(bob.address, [file.id])))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(alice.send(bob.address, [file.id])).rejects.toMatchObject(refusal)
  expect(await bob.list(alice.address)).toHaveLength(1)
  // It stays free for another message.
  await alice.send(bob.address, [good.id])
  await expect(alice.client.deleteFile({ file: good.id })).rejects.toMatchObject({ code: 'conflict' })
  expect(await bob.reads(good.id)).toBe(true)
})

test('a repeated request with files is answered as the first one, and sends nothing again', async () => {
  const [alice, bob] = [await person(), await person()]
  const { id } = await alice.upload(bob.address)
  const send = (key: string, more = {}) => alice.send(bob.address, [id], more, { idempotencyKey: key })
  const all = await Promise.all([send('once'), send('once'), send('once')])
  for (const one of all) expect(one).toEqual(all[0])
  expect(all[0].files).toEqual([{ id, size: 2000, name: 'a.bin' }])
  await expect(send('once', { message: 'another' })).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  // A key whose request was refused is free.
  await expect(send('refused')).rejects.toMatchObject({ code: 'not_found' })
  await alice.send(bob.address, undefined, {}, { idempotencyKey: 'refused' })
  expect(await bob.list(alice.address)).toHaveLength(2)
})

test('messages with and without files are sent at once', async () => {
  const [alice, bob] = [await person(), await person()]
  const files = await Promise.all(Array.from({ length: 12 }, () => alice.upload(bob.address)))
  const sent = await Promise.all(
    Array.from({ length: 40 }, (_, n) => alice.send(bob.address, n < 12 ? [files[n]!.id] : undefined)),
  )
  expect(sent.map(({ files: has }) => has?.[0]?.id)).toEqual(
    sent.map((_, n) => (n < 12 ? files[n]!.id : undefined)),
  )
  expect(await bob.list(alice.address)).toEqual(sent.toSorted((a, b) => a.id - b.id))
})

const careful = useService({ beside: service, dmDefault: 'requests' })

test('a request has no files; they go when the recipient has accepted', async () => {
  const [alice, bob] = [await person(careful), await person(careful)]
  const { id } = await alice.upload(bob.address)
  await expect(alice.send(bob.address, [id])).rejects.toMatchObject({
    code: 'request_pending',
    message: expect.stringContaining('no files'),
  })
  await alice.send(bob.address)
  await expect(alice.send(bob.address, [id])).rejects.toMatchObject({ code: 'request_pending' })
  expect(await bob.list(alice.address)).toHaveLength(1)
  await bob.client.setContact({ peer: alice.address, body: { state: 'accepted' } })
  await alice.send(bob.address, [id])
  expect(await bob.reads(id)).toBe(true)
})

test('a blocked wallet sends a file that nobody else can read, and does not notice it', async () => {
  const [alice, bob] = [await person(), await person()]
  const { id } = await alice.upload(bob.address)
  await bob.client.setContact({ peer: alice.address, body: { blocked: true } })
  const sent = await alice.send(bob.address, [id])
  expect(await alice.list(bob.address)).toEqual([sent])
  expect([await alice.reads(id), await bob.reads(id)]).toEqual([true, 'not_found'])
})

test('a file of a chat is read by those who may read the chat now', async () => {
  const town = newName('town')
  const [owner, ann, ben] = await newCommunity(service, town, 2)
  const { id } = await upload(ann.client, { nftaddr: town.toUpperCase(), name: 'x' }, bytes)
  const post = { fromaddr: ann.address, nftaddr: town, message: 'look', files: [id] }
  const [sent] = await ann.client.postGroupMessage({ body: post })
  expect(sent!.files).toEqual([{ id, size: 2000, name: 'x' }])
  expect(await ben.read({})).toEqual([sent])
  expect(await download(ben.client, id)).toEqual(bytes)
  await owner.restrict(ben.address, { banned_until: 'forever' })
  await expect(download(ben.client, id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(upload(ben.client, { nftaddr: town }, bytes)).rejects.toMatchObject({ code: 'forbidden' })
  await ann.remove(sent!.id)
  for (const one of [ann, owner])
    await expect(download(one.client, id)).rejects.toMatchObject({ code: 'not_found' })
  expect((await owner.read({}))[0]).not.toHaveProperty('files')
})

test('a post that waits has its files: its author and moderators read them, and all when it is approved', async () => {
  const town = newName('town')
  const [owner, ann, ben] = await newCommunity(service, town, 2)
  await owner.rules({ words: ['wait'] })
  const waiting = async () => {
    const { id } = await upload(ann.client, { nftaddr: town }, bytes)
    const body = { fromaddr: ann.address, nftaddr: town, message: 'wait', files: [id] }
    const [sent] = await ann.client.postGroupMessage({ body })
    expect(sent).toMatchObject({ held: true, files: [{ id, size: 2000 }] })
    return { id, post: sent!.id }
  }
  const [first, second] = [await waiting(), await waiting()]
  expect((await owner.held()).map(({ files }) => files?.[0]?.id)).toEqual([first.id, second.id])
  for (const one of [ann, owner]) expect(await download(one.client, first.id)).toEqual(bytes)
  await expect(download(ben.client, first.id)).rejects.toMatchObject({ code: 'not_found' })
  await owner.decide(first.post, true)
  await owner.decide(second.post, false)
  expect(await ben.read({})).toMatchObject([{ message: 'wait', files: [{ id: first.id }] }])
  expect(await download(ben.client, first.id)).toEqual(bytes)
  for (const one of [ann, owner, ben])
    await expect(download(one.client, second.id)).rejects.toMatchObject({ code: 'not_found' })
})
