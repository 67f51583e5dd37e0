import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { storeName } from '../../../../testing/service/written-directly.ts'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService({ publicPagesNotice: 0 })
const patient = useService({ beside: service, publicPagesNotice: 60 })
const off = useService({ beside: service, publicPages: false })

const get = (url: string, headers: Record<string, string> = {}) => service.app.inject({ url, headers })

/** A community whose owner has opened it. */
async function openTown() {
  const town = newName('town')
  const owner = newWallet()
  const asOwner = await service.as(owner)
  await asOwner.createCommunity({ body: { community: town } })
  const post = async (wallet: string, message: string) => {
    const body = { fromaddr: wallet, nftaddr: town, message }
    const [stored] = await (await service.as(wallet)).postCommunityMessage({ body })
    return stored!.id
  }
  const open = (body: { is_open: boolean; search_engines?: boolean } = { is_open: true }) =>
    asOwner.setPublicReading({ nftaddr: town, body })
  return { town, owner, asOwner, post, open, page: (query = '') => get(`/c/${town}${query}`) }
}

test('the owner alone opens a community; members see it, the log has it, and pages show what is written from then on', async () => {
  const { town, owner, asOwner, post, open, page } = await openTown()
  const member = newWallet()
  const asMember = await service.as(member)
  await post(owner, 'before it was opened')
  const refused = { code: 'forbidden', message: expect.stringContaining('Only its owner') }
  await expect(asMember.setPublicReading({ nftaddr: town, body: { is_open: true } })).rejects.toMatchObject(
    refused,
  )
  expect(await asMember.getPublicReading({ nftaddr: town })).toMatchObject({ is_open: false })
  await open()
  expect(await asMember.getPublicReading({ nftaddr: town })).toEqual({
    is_open: true,
    since: expect.any(String),
    search_engines: false,
    path: `/c/${town}`,
    offered: true,
  })
  await post(member, 'hello **outside** <script>alert(1)</script> https://аpple.com/x')
  const { statusCode, headers, body } = await page()
  expect([statusCode, headers['x-robots-tag']]).toEqual([200, 'noindex, nofollow, noarchive'])
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
  expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/)
  expect(body).toContain('hello <strong>outside</strong> &lt;script&gt;alert(1)&lt;/script&gt;')
  expect(body).toContain('href="https://xn--pple-43d.com/x" rel="nofollow ugc noopener noreferrer"')
  expect(body).toContain(`<meta property="og:title" content="${town}" />`)
  expect(body).not.toContain('before it was opened')
  expect(body).not.toContain(member)
  await open({ is_open: true, search_engines: true })
  expect((await page()).headers['x-robots-tag']).toMatch(/^index/)
  await open({ is_open: false })
  expect((await page()).body).not.toContain('hello')
  const log = await asOwner.listChatLog({ nftaddr: town })
  expect(log.map(({ action }) => action)).toEqual(['close_to_public', 'set_search_engines', 'open_to_public'])
})

test('what is deleted, held or withheld is not on the page; an edited message is as it is now', async () => {
  const { town, owner, asOwner, post, open, page } = await openTown()
  const [unseen, waiting] = [newWallet(), newWallet()]
  await open()
  const [gone, changed] = [await post(owner, 'a slip'), await post(owner, 'first words')]
  await asOwner.removePost({ nftaddr: town, id: gone })
  await asOwner.editMessage({ id: changed, body: { message: 'better words', revision: 0 } })
  await asOwner.setChatRules({ nftaddr: town, body: { words: ['airdrop'] } })
  await post(waiting, 'free airdrop')
  await service.ctx.db.query(`insert into sanctions (subject, kind, ms) values ($1, 'shadow_mute', $2)`, [
    unseen,
    Date.now(),
  ])
  await service.ctx.standing.refresh()
  await post(unseen, 'a whisper')
  const { body } = await page()
  expect(body).toContain('<div class="text" dir="auto">better words</div>')
  expect(body).not.toMatch(/a slip|first words|airdrop|whisper/)
})

test('a member shows a name by its own choice; nobody else is named, not even by a mention', async () => {
  const { owner, asOwner, post, open, page } = await openTown()
  const [mira, noor] = [newWallet(), newWallet()]
  const [first, second] = [`Mira ${mira.slice(2, 8)}`, `Noor ${noor.slice(2, 8)}`]
  await storeName(service.ctx, mira, first)
  await storeName(service.ctx, noor, second)
  await open()
  await post(mira, 'good morning')
  await post(noor, `@${first} good morning, also to @${owner} and a@example.org`)
  const { body } = await page()
  expect(body).not.toContain(first)
  expect(body).toContain('Member 1')
  expect(body).toContain('@member good morning, also to @member and a@example.org')
  const asMira = await service.as(mira)
  expect(await asMira.getPublicName()).toEqual({ shows_name: false })
  await asMira.setPublicName({ body: { shows_name: true } })
  const named = (await page()).body
  expect(named).toContain(`>${first}<`)
  expect(named).toContain(`@${first} good morning`)
  expect(named).not.toContain(second)
  await asMira.eraseAccount({ address: mira })
  expect((await page()).body).not.toContain(`>${first}<`)
  expect(await asOwner.getPublicName()).toEqual({ shows_name: false })
})

test('a room has a page of its own, which ends with the room', async () => {
  const { town, owner, asOwner, post, page } = await openTown()
  const create = () => asOwner.createRoom({ community: town, body: { room: 'news', title: 'Town news' } })
  const open = () => asOwner.setPublicReading({ nftaddr: `${town}/news`, body: { is_open: true } })
  await create()
  expect(await open()).toMatchObject({ is_open: true, path: `/c/${town}/news` })
  await asOwner.deleteRoom({ nftaddr: `${town}/news` })
  await create()
  expect(await asOwner.getPublicReading({ nftaddr: `${town}/news` })).toMatchObject({ is_open: false })
  expect((await page('/news')).body).not.toContain('Anyone can read this')
  await open()
  const body = { fromaddr: owner, nftaddr: `${town}/news`, message: 'the fair begins' }
  await asOwner.postGroupMessage({ body })
  await post(owner, 'among us')
  expect((await page('/news')).body).toContain(`Town news · ${town}`)
  expect((await page('/NEWS')).body).toContain('the fair begins')
  expect((await page()).body).not.toContain('among us')
  const toRoom = `<a href="/c/${town}/news" dir="auto">Town news</a>`
  expect((await page('/news')).body).not.toContain(toRoom)
  await asOwner.setPublicReading({ nftaddr: town, body: { is_open: true } })
  expect((await page()).body).toContain(toRoom)
  await asOwner.setPublicReading({ nftaddr: `${town}/news`, body: { is_open: false } })
  expect((await page()).body).not.toContain('Town news')
})

test.each(['about', 'Moderation'])(
  'a room named %s, like a page of the client, has its page at the path with an encoded slash',
  async (room) => {
    const { town, owner, asOwner, open, page } = await openTown()
    const nftaddr = `${town}/${room}`
    await open()
    await asOwner.createRoom({ community: town, body: { room } })
    const path = `/c/${town}%2F${room.toLowerCase()}`
    const opened = await asOwner.setPublicReading({ nftaddr, body: { is_open: true } })
    expect(opened.path?.toLowerCase()).toBe(path.toLowerCase())
    await asOwner.postGroupMessage({ body: { fromaddr: owner, nftaddr, message: 'who we are' } })
    expect((await page()).body).toContain(`<a href="${path}"`)
    const { headers, body } = await get(opened.path!)
    expect(headers['content-type']).toMatch(/^text\/html/)
    expect(body).toContain('who we are')
    expect(body).toContain(`<link rel="canonical" href="${new URL(path, service.ctx.config.publicUrl)}" />`)
    expect((await get(`${path}?feed=atom`)).body).toContain('who we are')
    // The client has the page about the community itself, and a path with two slashes names no room.
    for (const other of [`/c/${town}/${room}`, `/c/${town}%2F${room}%2Fx`, `/c/${town}/${room}%2Fx`])
      expect((await get(other)).body).not.toContain('who we are')
    await asOwner.setPublicReading({ nftaddr, body: { is_open: false } })
    expect((await get(path)).body).not.toContain('who we are')
  },
)

test('a page has fifty messages and leads to earlier ones, to the newest thousand; feeds have the newest', async () => {
  const { town, owner, post, open, page } = await openTown()
  await open()
  const first = await post(owner, 'the first')
  await Promise.all(Array.from({ length: 51 }, (_, n) => post(owner, `note ${n}`)))
  await post(owner, 'the last')
  const newest = await page()
  expect(newest.body.match(/<article/g)).toHaveLength(50)
  const [, path] = /href="([^"]+\?before=\d+)"/.exec(newest.body)!
  const earlier = await get(path!)
  expect(earlier.body).toContain('the first')
  expect(earlier.headers['x-robots-tag']).toMatch(/^noindex/)
  expect((await page(`?before=${first}`)).body).toContain('no earlier messages')
  expect((await page('?before=x')).statusCode).toBe(400)
  const known = await page()
  expect((await get(`/c/${town}`, { 'if-none-match': String(known.headers.etag) })).statusCode).toBe(304)
  const atom = await page('?feed=atom')
  expect(atom.headers['content-type']).toMatch(/^application\/atom\+xml/)
  expect(atom.body).toContain('the last')
  const json = (await page('?feed=json')).json<{ items: { title: string; url: string }[] }>()
  expect(json.items[0]).toMatchObject({ title: 'the last', url: expect.stringContaining(`/c/${town}#m`) })
})

test('comments on an NFT have a page, with the names of their authors; an NFT without any has none', async () => {
  const [nftaddr, wallet, unseen] = [newWallet(), newWallet(), newWallet()]
  const comment = async (fromaddr: string, message: string) => {
    const body = { fromaddr, nftaddr, nftid: '7', message }
    await (await service.as(fromaddr)).createComment({ body })
  }
  await service.ctx.db.query(`insert into sanctions (subject, kind, ms) values ($1, 'shadow_mute', $2)`, [
    unseen,
    Date.now(),
  ])
  await service.ctx.standing.refresh()
  await comment(unseen, 'a whisper')
  expect((await get(`/nft/${nftaddr}/7`)).headers['x-robots-tag']).toBeUndefined()
  await comment(wallet, 'What a <b>hat</b>.')
  const { body, headers } = await get(`/nft/${nftaddr.toUpperCase().replace('0X', '0x')}/007`)
  expect(headers['x-robots-tag']).toMatch(/^noindex/)
  expect(body).toContain('What a &lt;b&gt;hat&lt;/b&gt;.')
  expect(body).toContain(wallet.slice(0, 6))
  expect(body).not.toContain('whisper')
})

test('no page begins before the notice to members has passed, and none while the operator has pages off', async () => {
  const nftaddr = newName('Early')
  const [owner] = await newCommunity(patient, nftaddr)
  const path = `/c/${nftaddr.toLowerCase()}`
  const { since } = await owner.client.setPublicReading({ nftaddr, body: { is_open: true } })
  expect(Date.parse(since!) - Date.now()).toBeGreaterThan(50_000)
  expect((await patient.app.inject(path)).body).not.toContain('Anyone can read this')
  await patient.ctx.db.query('update public_chats set from_ms = 0 where chat = $1', [nftaddr.toLowerCase()])
  expect((await patient.app.inject(`/c/${nftaddr.toUpperCase()}`)).body).toContain('Anyone can read this')
  expect((await off.app.inject(path)).body).not.toContain('Anyone can read this')
  const asOwner = await off.as(owner.address)
  await expect(asOwner.setPublicReading({ nftaddr, body: { is_open: true } })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await asOwner.setPublicReading({ nftaddr, body: { is_open: false } })
  expect((await patient.app.inject(path)).body).not.toContain('Anyone can read this')
})
