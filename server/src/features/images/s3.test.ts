import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startS3 } from '../../../../testing/outside/s3.ts'
import { deleteBlobs, sweepFiles } from '../../../../testing/people/uploading.ts'
import { newWallet, startService } from '../../../../testing/service/service.ts'

const newPicture = async (width: number) =>
  (
    await sharp({ create: { width, height: 60, channels: 3, background: '#175' } })
      .png()
      .toBuffer()
  ).toString('base64')

test('pictures are set, replaced, kept and deleted in a bucket as on a disk', async () => {
  await using s3 = await startS3()
  await using service = await startService({ s3Url: s3.access })
  const addr = newWallet()
  const client = await service.as(addr)
  const sees = async () => (await client.getImage({ addr }))[0]?.base64data
  const inBucket = () => [...s3.objects.values()].map(({ bytes }) => bytes.toString('base64'))
  const [one, two] = [await newPicture(70), await newPicture(80)]
  await client.createImage({ body: { addr, base64data: `data:image/png;base64,${one}` } })
  expect([await sees(), inBucket()]).toEqual([`data:image/png;base64,${one}`, [one]])
  await client.createImage({ body: { addr, base64data: two } })
  await deleteBlobs(service)
  expect([await sees(), inBucket()]).toEqual([two, [two]])
  const [[key, stored]] = [...s3.objects] as [[string, { bytes: Buffer; at: number }]]
  const old = Date.now() - 2 * 3_600_000
  s3.objects.set(key, { ...stored, at: old })
  s3.objects.set(key.replace(/[^/]+$/, 'left'), { bytes: Buffer.from('left'), at: old })
  await sweepFiles(service)
  expect([await sees(), inBucket()]).toEqual([two, [two]])
  await client.deleteImage({ addr })
  await deleteBlobs(service)
  expect([await sees(), inBucket()]).toEqual([undefined, []])
})

test('while the bucket is away a picture is not set and not read as it was sent; what is drawn of it is shown, and an upload leaves nothing', async () => {
  await using s3 = await startS3()
  await using service = await startService({ s3Url: s3.access })
  const addr = newWallet()
  const client = await service.as(addr)
  const [one, two] = [await newPicture(70), await newPicture(80)]
  await client.createImage({ body: { addr, base64data: one } })
  s3.setRule(() => 503)
  const away = { code: 'unavailable', retryAfter: 5, message: expect.stringContaining('store of files') }
  await expect(client.createImage({ body: { addr, base64data: two } })).rejects.toMatchObject(away)
  await expect(client.getImage({ addr })).rejects.toMatchObject(away)
  expect((await client.getPicture({ addr }))[0]!.base64data).toMatch(/^data:image\/webp/)
  s3.setRule(() => undefined)
  expect((await client.getImage({ addr }))[0]!.base64data).toBe(one)
  expect(s3.objects.size).toBe(1)
  // The answer is lost, and the bucket has the object.
  s3.setRule((method) => (method === 'PUT' ? 'is lost' : undefined))
  await expect(client.createImage({ body: { addr, base64data: two } })).rejects.toMatchObject(away)
  s3.setRule(() => undefined)
  expect(s3.objects.size).toBe(1)
  expect((await client.getImage({ addr }))[0]!.base64data).toBe(one)
})
