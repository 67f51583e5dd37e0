import type { RequestListener } from 'node:http'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { look, startTokenHost } from '../../../../testing/chains/token-host.ts'

const { site, asked, answers, serve, mint, start } = await startTokenHost()
const png = await sharp({
  create: { width: 600, height: 400, channels: 3, background: { r: 200, g: 30, b: 30 } },
})
  .png()
  .toBuffer()

const cid = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
const red = '<rect width="350" height="350" fill="#f00"/>'
const svg = (content: string, more = 'width="350" height="350"') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${more}>${content}</svg>`,
  )
const inline = (bytes: Buffer) => `data:image/svg+xml;base64,${bytes.toString('base64')}`
const withImage = (image: string) => `data:application/json,${encodeURIComponent(JSON.stringify({ image }))}`

test('addresses are taken as contracts write them: IPFS and Arweave in all spellings, relative ones, and redirects', async () => {
  await using service = await start({ ipfsGateway: `http://${site}`, arweaveGateway: `http://${site}` })
  const v0 = 'QmZHKZDavkvNfA9gSAg7HALv8jF7BJaKjUc9U2LSuvUySB'
  const ar = 'a'.repeat(43)
  for (const at of [
    `/ipfs/${cid}/Wookz%23525.png`,
    `/ipfs/${cid}/a%20b%3F%25.png`,
    `/ipfs/${cid}/m/1.png`,
    `/${ar}/1.png`,
    '/m/1.png',
    '/end',
  ])
    serve(at, png)
  for (const at of [`/ipfs/${v0}/1.json`, `/${ar}/1.json`]) serve(at, { name: 'found' })
  serve(`/ipfs/${cid}/m/1%231.json`, { image: '1.png' })
  serve(`/${ar}/m`, { image: `ar://${ar}/1.png` })
  serve('/m/1.json', { image: '1.png' })
  const to =
    (location: string): RequestListener =>
    (_request, response) => {
      response.writeHead(302, { location }).end('moved')
    }
  answers.set('/moved', to('/on'))
  answers.set('/on', to(`http://${site}/end`))
  answers.set('/loop', to('/loop2'))
  answers.set('/loop2', to('/loop'))
  answers.set('/inside', to('http://127.0.0.1:9/'))
  const has = async (uri: string) => {
    const { token, picture } = await look(service, await mint(uri))
    return [token[0]!.name, picture.length]
  }
  for (const uri of [
    withImage(`ipfs://${cid}/Wookz#525.png`),
    withImage(`ipfs://ipfs/${cid}/a b?%.png`),
    withImage(`${cid}/m/1.png`),
    `ipfs://${cid}/m/1#1.json`,
    `ar://${ar}/m`,
    `http://${site}/m/1.json`,
    withImage(`http://${site}/moved`),
  ])
    expect([uri, await has(uri)]).toEqual([uri, ['', 1]])
  for (const uri of [`${v0}/1.json`, `ipfs://${v0}/1.json`, `ar://${ar}/1.json`])
    expect([uri, await has(uri)]).toEqual([uri, ['found', 0]])
  for (const uri of [
    withImage(`http://${site}/loop`),
    withImage(`http://${site}/inside`),
    withImage('1.png'),
    withImage(`ipfs://${cid}/../../m/1.png`),
  ])
    expect([uri, await has(uri)]).toEqual([uri, ['', 0]])
})

test('a byte order mark does not matter, and emoji keep what joins them', async () => {
  await using service = await start()
  const nameOf = async (name: string) => {
    const json = Buffer.from(`\ufeff${JSON.stringify({ name })}`).toString('base64')
    return (await look(service, await mint(`data:application/json;base64,${json}`))).token[0]!.name
  }
  for (const name of ['👨‍👩‍👧 Family #1', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🚴🏽‍♂️ b', '❤️‍🔥']) expect(await nameOf(name)).toBe(name)
  expect(await nameOf('a\u202eb\u200dc\u{e0061}')).toBe('abc')
  expect(await nameOf('👨\u202e\u{e0061}')).toBe('👨')
})

test('pictures of tokens are drawn whatever they hold besides: SVG, much metadata, a second picture, many pixels', async () => {
  await using service = await start()
  const drawn = async (bytes: Buffer) => {
    serve('/drawn', bytes)
    return (await look(service, await mint(withImage(`http://${site}/drawn`)))).picture[0]?.base64data
  }
  const pixel = async (url: string | undefined) => {
    const { data } = await sharp(Buffer.from(url!.split(',')[1]!, 'base64'))
      .raw()
      .toBuffer({ resolveWithObject: true })
    return data[0]! > 200 && data[1]! < 60
  }
  for (const one of [
    svg(red),
    Buffer.from(`\ufeff<?xml version="1.0"?><!-- a --> ${svg(red).toString()}`),
    svg(red, 'width="1000000" height="1000000" viewBox="0 0 350 350"'),
    svg(red, 'viewBox="0 0 350 350"'),
  ])
    expect(await pixel(await drawn(one))).toBe(true)
  const jpegOf = await sharp(png).jpeg().toBuffer()
  expect(await drawn(Buffer.concat([jpegOf, jpegOf]))).toBeDefined()
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><!--${'x'.repeat(80_000)}--></x:xmpmeta>`
  expect(await drawn(await sharp(png).resize(40, 30).withXmp(xmp).png().toBuffer())).toBeDefined()
  const large = sharp({ create: { width: 5000, height: 5000, channels: 3, background: '#f00' } })
  expect(await drawn(await large.png().toBuffer())).toBeDefined()
})

test('an SVG fetches nothing, reads no file, and is bounded in time and memory', async () => {
  await using service = await start({ pictureSeconds: 2 })
  serve('/x.png', png)
  const at = `http://${site}/x.png`
  const bomb = await sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: '#f00' } })
    .png({ compressionLevel: 9 })
    .toBuffer()
  const uses = Array.from(
    { length: 30 },
    (_, i) => `<g id="g${i + 1}">${`<use xlink:href="#g${i}"/>`.repeat(10)}</g>`,
  ).join('')
  const hostile = [
    svg(`<image width="350" height="350" xlink:href="${at}"/><style>@import url(${at});</style>`),
    svg(`<image width="350" height="350" href="file:///etc/passwd"/>${red}`),
    svg(`<script>fetch("${at}")</script><foreignObject><img src="${at}"/></foreignObject>`),
    svg(`<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>`),
    svg(`<defs><g id="g0">${red}</g>${uses}</defs><use xlink:href="#g30"/>`),
    Buffer.from(
      `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i} "${`&a${i ? i - 1 : ''};`.repeat(10)}">`).join('')}]>${svg('<text>&a8;</text>').toString()}`,
    ),
    svg(`<image width="350" height="350" href="data:image/png;base64,${bomb.toString('base64')}"/>`),
    svg(
      `<filter id="f"><feTurbulence numOctaves="1000000" baseFrequency="0.9"/></filter><rect width="350" height="350" filter="url(#f)"/>`,
    ),
  ]
  for (const [i, bytes] of hostile.entries()) {
    serve('/hostile', bytes)
    const token = await mint(withImage(`http://${site}/hostile`))
    const began = Date.now()
    await look(service, token)
    expect([i, Date.now() - began < 6_000]).toEqual([i, true])
  }
  expect(new Set(asked)).toEqual(new Set(['/hostile']))
  // The decoder serves the next caller.
  expect((await look(service, await mint(withImage(inline(svg(red)))))).picture).toHaveLength(1)
})
