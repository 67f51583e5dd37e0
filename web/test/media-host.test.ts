// A host for files alone, in a browser: its policy and the rules of other origins let the page fetch files there, and nothing else.

import { randomBytes } from 'node:crypto'
import { test } from 'vitest'
import { upload } from '../../testing/people/uploading.ts'
import { freePort } from '../../testing/service/ports.ts'
import { newToken, newWallet } from '../../testing/service/service.ts'
import { openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'

let mediaUrl = ''
const site = useSite(async () => {
  const port = await freePort()
  // A browser knows that this is its own machine.
  mediaUrl = `http://files.localhost:${port}`
  return { port, publicUrl: `http://127.0.0.1:${port}`, mediaUrl, corsOrigins: [`http://127.0.0.1:${port}`] }
})
const without = useSite()

/** Fetches in a page, as the client does; undefined where the browser refuses. */
const fetchIn = ({ page }: Person, url: string, token: string) =>
  page.evaluate(
    async (asked) => {
      const headers = { authorization: `Bearer ${asked.token}`, range: 'bytes=0-99' }
      const response = await fetch(asked.url, { headers }).catch(() => undefined)
      return (
        response && {
          status: response.status,
          range: response.headers.get('content-range'),
          bytes: (await response.arrayBuffer()).byteLength,
        }
      )
    },
    { url, token },
  )

test('the page fetches files from the host for files, and nothing else from there', async ({ expect }) => {
  const { service } = site
  const wallet = newWallet()
  const { id } = await upload(await service.as(wallet), { toaddr: newWallet() }, randomBytes(1000))
  const token = await newToken(service.ctx, wallet)
  await using person = await openPerson(site.url)
  await person.page.goto('/')
  expect(await fetchIn(person, `${mediaUrl}/v1/files/${id}`, token)).toEqual({
    status: 206,
    range: 'bytes 0-99/1000',
    bytes: 100,
  })
  expect(await fetchIn(person, `${mediaUrl}/v1/service`, token)).toMatchObject({ status: 404 })
  // Without the setting the policy of the page has no other host.
  await using other = await openPerson(without.url)
  await other.page.goto('/')
  expect(await fetchIn(other, `${mediaUrl}/v1/files/${id}`, token)).toBeUndefined()
})
