import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { maxImageBytes } from '@parley/sdk/contract/images.ts'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { newWallet, type Service, useService } from '../../../../testing/service/service.ts'

const base64 = (bytes: Buffer) => bytes.toString('base64')
const painted = (width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha: 0.9 } } })
const png = await painted().png().toBuffer()

function picturesOf(service: Service) {
  const wallet = async (on: Service = service) => {
    const address = newWallet()
    const client = await on.as(address)
    return {
      address,
      client,
      put: (base64data: string) => client.createImage({ body: { addr: address, base64data } }),
    }
  }
  const thumbnailOf = async (addr: string) => {
    const [row] = await service.ctx.db.query<{ thumbnail: string }>(
      `select logo::json #>> '{}' as thumbnail from profiles where address = $1`,
      [addr],
    )
    const url = row!.thumbnail
    expect(url).toMatch(/^data:image\/webp;base64,/)
    expect(url.length).toBeLessThanOrEqual(4096)
    return Buffer.from(url.slice(url.indexOf(',')), 'base64')
  }
  const shownOf = async (addr: string) => {
    const [{ base64data } = { base64data: '' }] = await (await service.as(newWallet())).getPicture({ addr })
    expect(base64data).toMatch(/^data:image\/webp;base64,/)
    expect(base64data.length).toBeLessThanOrEqual(32 * 1024 + 32)
    return Buffer.from(base64data.slice(base64data.indexOf(',')), 'base64')
  }
  return { service, wallet, thumbnailOf, shownOf }
}
const t = picturesOf(useService())

/** Stores a community as the communities feature does. */
const createCommunity = ({ ctx }: Service, community: string, creator: string) =>
  ctx.db.query(
    'insert into communities (bucket, chat, community, creator, created_ms) values (bucket_of($1), $1, $2, $3, 0)',
    [community.toLowerCase(), community, creator],
  )

test.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)(
  'a %s comes back as it was sent',
  async (format) => {
    const [alice, bob] = [await t.wallet(), await t.wallet()]
    const data = base64(await painted()[format]().toBuffer())
    for (const base64data of [data, `data:image/${format};base64,${data}`]) {
      const stored = await alice.put(base64data)
      expect(stored).toEqual([{ id: expect.any(Number), addr: alice.address, base64data }])
      expect(await bob.client.getImage({ addr: alice.address })).toEqual(stored)
      const thumbnail = await sharp(await t.thumbnailOf(alice.address)).metadata()
      expect(thumbnail).toMatchObject({ format: 'webp', width: 64, height: 64 })
    }
  },
)

test('there is one picture of an address, however it was stored', async () => {
  const { address: addr, client } = await t.wallet()
  const [first, second, third] = [painted(10, 10), painted(20, 20), painted(30, 30)]
  const body = async (picture: Sharp) => ({ addr, base64data: base64(await picture.png().toBuffer()) })
  const [created] = await client.createProfilePicture({ body: await body(first) })
  expect(await client.getImage({ addr })).toEqual([created])
  await client.createImage({ body: await body(second) })
  expect(await client.updateImage({ body: await body(third) })).toEqual([
    { id: created!.id, walletaddr: addr, nftaddr: addr, chain: '' },
  ])
  expect(await client.getImage({ addr })).toEqual([{ id: created!.id, ...(await body(third)) }])
})

test('an update creates what is not there, and what is not known is empty', async () => {
  const { address: addr, client } = await t.wallet()
  expect(await client.getImage({ addr })).toEqual([])
  const [updated] = await client.updateImage({ body: { addr, base64data: base64(png) } })
  expect(await client.getImage({ addr })).toEqual([{ id: updated!.id, addr, base64data: base64(png) }])
})

test('a wallet stores only its own picture', async () => {
  const [alice, eve] = [await t.wallet(), await t.wallet()]
  const body = { addr: alice.address, base64data: base64(png) }
  const forbidden = { code: 'forbidden' }
  await expect(eve.client.createImage({ body })).rejects.toMatchObject(forbidden)
  await expect(eve.client.updateImage({ body })).rejects.toMatchObject(forbidden)
  await expect(eve.client.createProfilePicture({ body })).rejects.toMatchObject(forbidden)
  // That comes first: nothing is decoded for a wallet that may not store it.
  await expect(eve.client.createImage({ body: { ...body, base64data: 'x' } })).rejects.toMatchObject(
    forbidden,
  )
  expect(await eve.client.getImage({ addr: alice.address })).toEqual([])
  expect(
    await alice.client.createImage({
      body: { ...body, addr: alice.address.toUpperCase().replace('X', 'x') },
    }),
  ).toMatchObject([{ addr: alice.address }])
})

test('the creator of a community stores its picture, under its name in any case', async () => {
  const [alice, eve] = [await t.wallet(), await t.wallet()]
  await createCommunity(t.service, 'BAYC-Fans', alice.address)
  const body = { addr: 'bayc-FANS', base64data: base64(png) }
  await expect(eve.client.createImage({ body })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(eve.client.createImage({ body: { ...body, addr: 'no-such' } })).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(await alice.client.createImage({ body })).toMatchObject([{ addr: 'bayc-fans' }])
  expect(await eve.client.getImage({ addr: 'BAYC-Fans' })).toMatchObject([
    { addr: 'bayc-fans', base64data: base64(png) },
  ])
})

test('who may store a picture may delete it, and its name stays', async () => {
  const [alice, eve] = [await t.wallet(), await t.wallet()]
  await createCommunity(t.service, 'Town', alice.address)
  await alice.client.setName({ body: { address: alice.address, name: 'Alice' } })
  for (const addr of [alice.address, 'town']) {
    await alice.client.createImage({ body: { addr, base64data: base64(png) } })
    await expect(eve.client.deleteImage({ addr })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await eve.client.getPicture({ addr })).toHaveLength(1)
    await alice.client.deleteImage({ addr: addr === 'town' ? 'Town' : addr })
    expect(await eve.client.getImage({ addr })).toEqual([])
    expect(await eve.client.getPicture({ addr })).toEqual([])
    await alice.client.deleteImage({ addr })
  }
  await alice.client.sendDirectMessage({
    body: { fromaddr: alice.address, toaddr: eve.address, message: 'gm' },
  })
  expect(await eve.client.getInbox({ address: eve.address })).toMatchObject([{ name: 'Alice', logo: '' }])
})

const text = (content: string) => base64(Buffer.from(content))
const data = base64(png)
test.each([
  ['nothing', ''],
  [
    'SVG',
    text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'),
  ],
  [
    'SVG after a declaration',
    text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  ],
  ['an SVG data URL', `data:image/svg+xml;base64,${text('<svg xmlns="http://www.w3.org/2000/svg"/>')}`],
  [
    'SVG that says it is PNG',
    `data:image/png;base64,${text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')}`,
  ],
  ['HTML', text('<!doctype html><script>alert(1)</script>')],
  ['text', text('hello')],
  ['TIFF', base64(await painted().tiff().toBuffer())],
  ['half of a PNG', base64(png.subarray(0, png.length / 2))],
  [
    'a PNG with damaged pixels',
    base64(Buffer.concat([png.subarray(0, 60), Buffer.alloc(40, 7), png.subarray(100)])),
  ],
  ['half of a JPEG', base64((await painted().jpeg().toBuffer()).subarray(0, 500))],
  ['another type than it says', `data:image/jpeg;base64,${data}`],
  ['a data URL without base64', `data:image/png,${data}`],
  ['a data URL of a text', `data:text/html;base64,${data}`],
  ['a data URL without a comma', `data:image/png;base64`],
  ['a line break', `${data.slice(0, 40)}\n${data.slice(40)}`],
  ['a space at the end', `${data} `],
  ['no padding', base64(Buffer.concat([png, Buffer.from([0])])).replace(/=+$/, '')],
  [
    'the URL alphabet',
    base64(Buffer.from('\xff\xfe'.repeat(20), 'latin1'))
      .replaceAll('/', '_')
      .replaceAll('+', '-'),
  ],
  ['bits in the padding', 'iVBORw0KGgp='],
  ['a lone surrogate', '\ud800'],
  ['NUL', '\0'],
])('%s is refused', async (_, base64data) => {
  const alice = await t.wallet()
  await expect(alice.put(base64data)).rejects.toMatchObject({
    code: 'bad_request',
    errors: [{ pointer: '/body/base64data', detail: expect.stringMatching(/^must /) }],
  })
  expect(await alice.client.getImage({ addr: alice.address })).toEqual([])
})

/** Returns the PNG with one more chunk. */
function withChunk(type: string, bytes: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), bytes])
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(bytes.length)
  crc.writeUInt32BE(crc32(content))
  return Buffer.concat([png.subarray(0, 33), length, content, crc, png.subarray(33)])
}

/** Returns a PNG with the frame of an animation, which makes it as long as is wanted. */
const padded = (bytes: number) => withChunk('fdAT', Buffer.alloc(bytes - png.length - 12))

test('2 MiB are stored, one byte more is 413', async () => {
  const alice = await t.wallet()
  const most = `data:image/png;base64,${base64(padded(maxImageBytes))}`
  await alice.put(most)
  expect((await alice.client.getImage({ addr: alice.address }))[0]?.base64data === most).toBe(true)
  for (const bytes of [maxImageBytes + 1, maxImageBytes + 3, 4 * maxImageBytes])
    await expect(alice.put(base64(padded(bytes)))).rejects.toMatchObject({ code: 'payload_too_large' })
})

test('4096×4096 pixels are stored, more are refused before they are decoded', async () => {
  const alice = await t.wallet()
  const blank = async (width: number, height: number) => base64(await painted(width, height).png().toBuffer())
  await alice.put(await blank(4096, 4096))
  await alice.put(await blank(4096, 1))
  for (const [width, height] of [
    [4097, 1],
    [1, 4097],
    [4097, 4097],
  ] as const)
    await expect(alice.put(await blank(width, height))).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(`4096×4096 pixels, this is ${width}×${height}`),
    })
})

/**
 * Returns a GIF of a given size whose frames each change one pixel: twenty bytes, and a whole picture for the program that shows
 * it.
 */
function animation(side: number, frames: number): string {
  const size = [side & 255, side >> 8]
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0]
  const colours = [255, 0, 0, 0, 0, 255]
  const body = Array.from({ length: frames }, () => frame).flat()
  return base64(
    Buffer.from([...Buffer.from('GIF89a'), ...size, ...size, 0x80, 0, 0, ...colours, ...body, 0x3b]),
  )
}

test('an animation is stored as it is, unless its frames together are huge', async () => {
  const alice = await t.wallet()
  for (const [side, frames] of [
    [50, 3],
    [4096, 4],
    [256, 1000],
  ] as const) {
    const base64data = animation(side, frames)
    expect(await alice.put(base64data)).toMatchObject([{ base64data }])
  }
  for (const [side, frames] of [
    [4096, 5],
    [256, 1025],
    [1000, 20_000],
  ] as const)
    await expect(alice.put(animation(side, frames))).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('all frames together'),
    })
  const frames = (count: number) =>
    withChunk('acTL', Buffer.from([0, 0, count >> 8, count & 255, 0, 0, 0, 0]))
  await alice.put(base64(frames(1000)))
  await expect(alice.put(base64(frames(2000)))).rejects.toMatchObject({ code: 'bad_request' })
  await expect(alice.put(animation(5000, 1))).rejects.toMatchObject({
    message: expect.stringContaining('this is 5000×5000'),
  })
})

test('what others see is upright and without the place of the picture', async () => {
  const alice = await t.wallet()
  // The picture is red above, blue below; the camera was held sideways.
  const half = (background: string) => ({
    create: { width: 200, height: 100, channels: 3 as const, background },
  })
  const upright = await sharp({ ...half('red'), create: { ...half('red').create, height: 200 } })
    .composite([{ input: half('blue'), gravity: 'south' }])
    .png()
    .toBuffer()
  const sideways = await sharp(upright)
    .rotate(270)
    .withExif({ IFD0: { Copyright: 'alice was here' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  await alice.put(base64(sideways))
  for (const [side, shown] of [
    [64, await t.thumbnailOf(alice.address)],
    [200, await t.shownOf(alice.address)],
  ] as const) {
    expect(await sharp(shown).metadata()).toMatchObject({ format: 'webp', width: side, height: side })
    for (const part of ['alice was here', 'EXIF']) expect(shown.includes(part)).toBe(false)
    const pixels = await sharp(shown).removeAlpha().raw().toBuffer()
    const at = (x: number, y: number) =>
      [...pixels.subarray((y * side + x) * 3, (y * side + x) * 3 + 3)].map((v) => v > 128)
    expect([at(side / 2, side / 8), at(side / 2, side - 8)]).toEqual([
      [true, false, false],
      [false, false, true],
    ])
  }
  expect((await alice.client.getImage({ addr: alice.address }))[0]!.base64data).toBe(base64(sideways))
})

test.each([
  ['noise', () => sharp(randomBytes(256 * 256 * 4), { raw: { width: 256, height: 256, channels: 4 } })],
  ['coarse noise', () => sharp(randomBytes(64 * 64 * 4), { raw: { width: 64, height: 64, channels: 4 } })],
  ['grey', () => painted().greyscale()],
  ['16 bits', () => painted().toColourspace('rgb16')],
  ['one pixel', () => painted(1, 1)],
  ['a stripe', () => painted(4096, 2)],
])('what others see of %s is small', async (_, picture) => {
  const alice = await t.wallet()
  await alice.put(base64(await picture().png().toBuffer()))
  expect(await sharp(await t.thumbnailOf(alice.address)).metadata()).toMatchObject({ width: 64, height: 64 })
  const { width, height } = await sharp(await t.shownOf(alice.address)).metadata()
  expect(width).toBe(height)
  expect(width).toBeLessThanOrEqual(256)
})

const patient = useService({ pictureSeconds: 20 })
const besidePatient = useService({ beside: patient, pictureSeconds: 20 })

test('many pictures at once are stored, or refused with 503, and other requests are answered meanwhile', async () => {
  const { wallet } = picturesOf(patient)
  const large = base64(await painted(1500, 1500).avif({ effort: 0 }).toBuffer())
  const wallets = await Promise.all(
    Array.from({ length: 40 }, (_, i) => wallet(i % 2 ? besidePatient : patient)),
  )
  const puts = Promise.allSettled(wallets.map(({ put }) => put(large)))
  const reader = await wallet()
  const started = performance.now()
  expect(await reader.client.getImage({ addr: reader.address })).toEqual([])
  expect(performance.now() - started).toBeLessThan(1000)
  const results = await puts
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(32)
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ code: 'unavailable', retryAfter: 1 })
})

test('a picture that is replaced leaves nothing behind', async () => {
  const alice = await t.wallet()
  const sizes = Array.from({ length: 10 }, (_, n) => 20 + n)
  for (const side of sizes) {
    const noise = sharp(randomBytes(side ** 2 * 3), { raw: { width: side, height: side, channels: 3 } })
    const body = { addr: alice.address, base64data: base64(await noise.png().toBuffer()) }
    await alice.client.createImage({ body }, { idempotencyKey: `k${side}` })
  }
  const count = async (table: string, column: string) => {
    const counting = `select count(*)::int as rows from ${table} where ${column} = $1`
    return (await t.service.ctx.db.query<{ rows: number }>(counting, [alice.address]))[0]!.rows
  }
  expect([await count('images', 'addr'), await count('profiles', 'address')]).toEqual([1, 1])
})

test('of two that store the same picture at once, both are answered', async () => {
  const alice = await t.wallet()
  const results = await Promise.all(Array.from({ length: 4 }, () => alice.put(base64(png))))
  expect(new Set(results.map(([image]) => image!.id)).size).toBe(1)
})

test('a repeated request with an Idempotency-Key gets the first answer', async () => {
  const { config } = patient.ctx
  const { pictureSeconds } = config
  const alice = await picturesOf(patient).wallet()
  const body = { addr: alice.address, base64data: base64(png) }
  const [first] = await alice.client.createImage({ body }, { idempotencyKey: 'k' })
  await alice.put(base64(await painted(5, 5).png().toBuffer()))
  // Nothing is decoded again.
  config.pictureSeconds = 0
  const again = await alice.client.createImage({ body }, { idempotencyKey: 'k' })
  config.pictureSeconds = pictureSeconds
  expect(again).toEqual([first])
  const other = { ...body, base64data: base64(await painted(6, 6).png().toBuffer()) }
  await expect(alice.client.createImage({ body: other }, { idempotencyKey: 'k' })).rejects.toMatchObject({
    code: 'idempotency_mismatch',
  })
  expect((await alice.client.getImage({ addr: alice.address }))[0]?.base64data).not.toBe(body.base64data)
})
