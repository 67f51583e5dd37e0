// Encrypted files in a real browser: the code that seals and opens them, and messages that have some.

import { expect, test } from 'vitest'
import { build, type Rollup } from 'vite'
import { addOperator } from '../../testing/people/moderators.ts'
import { newWallet } from '../../testing/service/service.ts'
import vectors from '../../docs/encryption-vectors.json' with { type: 'json' }
import { bubble, eventually, openPerson, type Person, say, visit } from './person.ts'
import { talkSealed } from './sealed-talk.ts'
import { useSite } from './site.ts'
import { edit } from './talking.ts'

const site = useSite()

/** Returns the code of `@parley/sdk/files` as one script, which gives it the name `files`. */
async function filesScript(): Promise<string> {
  const entry = new URL('../../sdk/src/files/index.ts', import.meta.url).pathname
  const lib = { entry, name: 'files', formats: ['iife' as const], fileName: 'files' }
  const built = await build({ configFile: false, logLevel: 'error', build: { lib, write: false } })
  return (built as Rollup.RollupOutput[])[0]!.output[0].code
}

test.concurrent('a browser seals a file to the bytes of the vectors, opens a part of it, and refuses another file', async () => {
  await using alice = await openPerson(site.url)
  await alice.page.goto(site.url)
  const { size, secret_hex, key, hash } = vectors.files.list.at(-1)!
  const inPage = `${await filesScript()}
    ;(async () => {
      const content = Uint8Array.from({ length: ${size} }, (_, i) => i % 251)
      const secret = Uint8Array.from(${JSON.stringify(secret_hex)}.match(/../g), (two) => parseInt(two, 16))
      const sealing = await files.sealFile(new File([content], 'x'), secret)
      const sealed = await new Response(sealing.sealFrom(0)).blob()
      const rest = await new Response(sealing.sealFrom(70000)).arrayBuffer()
      const file = { key: sealing.key, size: ${size}, hash: await sealing.hash() }
      const opened = new Uint8Array(await new Response(files.openFile(file, sealed)).arrayBuffer())
      const range = await new Response(files.openRange(file, sealed, 65530, 65542)).arrayBuffer()
      const other = await files.sealFile(new Blob([content]))
      const refused = await new Response(files.openFile({ ...file, key: other.key }, sealed)).blob().then(
        () => 'opened', () => 'refused')
      return {
        key: file.key, hash: file.hash, sealed: sealed.size, rest: rest.byteLength, refused,
        isSame: opened.length === ${size} && opened.every((byte, i) => byte === i % 251),
        range: [...new Uint8Array(range)],
      }
    })()`
  const sealedSize = vectors.files.list.at(-1)!.sealed_size
  expect(await alice.page.evaluate(inPage)).toEqual({
    key,
    hash,
    sealed: sealedSize,
    rest: sealedSize - 70_000,
    refused: 'refused',
    isSame: true,
    range: Array.from({ length: 12 }, (_, i) => (65_530 + i) % 251),
  })
})

/** Writes a message while nothing is sent, and gives it files before it is. */
async function sayWithFiles(person: Person, peer: string, text: string): Promise<void> {
  await person.page.route('**/v1/create_chatitem', (route) => route.abort())
  await say(person, text)
  const entry = () =>
    person.page.evaluate(() => {
      const name = Object.keys(localStorage).find((one) => one.startsWith('parley.outbox.'))
      return name ? { name, text: localStorage.getItem(name)! } : undefined
    })
  await eventually(entry, (one) => expect(one?.text).toContain('"prepared":true'))
  const { name, text: record } = (await entry())!
  const { prepared: _prepared, ...written } = JSON.parse(record)
  const body = { fromaddr: person.address, toaddr: peer, message: text }
  const changed = JSON.stringify({ ...written, body, files: vectors.with_files.files })
  await visit(person, '/settings')
  await person.page.evaluate(([at, value]) => localStorage.setItem(at!, value!), [name, changed])
  await person.page.unroute('**/v1/create_chatitem')
  await visit(person, `/dm/${peer}`)
}

test.concurrent('a message with files is sent encrypted, its edit keeps them, and a report shows operators their keys', async () => {
  await using t = await talkSealed(site)
  const operator = newWallet()
  await addOperator(site.service, operator)
  await sayWithFiles(t.alice, t.bob.address, 'with two files')
  await bubble(t.bob, 'with two files').waitFor()
  await edit(t.alice, 'with two files', 'still with them')
  await bubble(t.bob, 'still with them').hover()
  const [{ files }, seen] = [vectors.with_files, await t.seenByService()]
  for (const { key, name } of files) {
    expect(seen).not.toContain(key)
    expect(seen).not.toContain(name)
  }
  await t.bob.page.getByRole('button', { name: /^Message options: .*still with them/ }).click()
  await t.bob.page.getByRole('menuitem', { name: 'Report…' }).click()
  const dialog = t.bob.page.getByRole('dialog')
  await dialog.getByText('Threats, hate').click()
  await dialog.getByText('Let the operators read this message').click()
  await dialog.getByRole('button', { name: 'Report', exact: true }).click()
  await t.bob.page.getByText(/^Reported /).waitFor()
  const [report] = await (await site.service.as(t.bob.address)).listOwnReports()
  const [detail] = await (await site.service.as(operator)).getReport({ id: report!.id })
  expect(detail!.evidence).toMatchObject([
    {
      proof: 'opened',
      message: 'still with them',
      files: files.map(({ id, key, hash, name, type, size }) => ({ id, key, hash, name, type, size })),
    },
  ])
  expect([...t.alice.complaints, ...t.bob.complaints].filter((one) => !one.includes('ERR_FAILED'))).toEqual(
    [],
  )
})
