import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { filePartBytes } from '@parley/sdk'
import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { sha256, storedParts, upload } from '../../../../testing/people/uploading.ts'
import { unzip } from '../../../../testing/service/files.ts'
import { newName, useService } from '../../../../testing/service/service.ts'

const service = useService()

test('the export of a wallet has the files it has uploaded, whole, and none of others', async () => {
  const town = newName('town')
  const [alice, bob] = await newCommunity(service, town, 1)
  const contents = [randomBytes(filePartBytes + 5), randomBytes(3000), randomBytes(10)] as const
  const sent = await upload(alice.client, { toaddr: bob.address, name: 'garden.bin' }, contents[0])
  const posted = await upload(alice.client, { nftaddr: town }, contents[1])
  const loose = await upload(alice.client, { nftaddr: town }, contents[2])
  const answer = await upload(bob.client, { toaddr: alice.address }, randomBytes(100))
  const dm = { fromaddr: alice.address, toaddr: bob.address, message: 'look' }
  const [item] = await alice.client.sendDirectMessage({ body: { ...dm, files: [sent.id] } })
  const post = { fromaddr: alice.address, nftaddr: town, message: 'look', files: [posted.id] }
  await alice.client.postGroupMessage({ body: post })
  const back = { fromaddr: bob.address, toaddr: alice.address, message: 'look' }
  await bob.client.sendDirectMessage({ body: { ...back, files: [answer.id] } })

  const exported = async () => {
    const archive = await alice.client.exportAccount({ address: alice.address })
    const entries = await unzip(Buffer.from(await new Response(archive).arrayBuffer()))
    const names = [...entries.keys()].filter((name) => name.startsWith('files/'))
    return { entries, hashes: Object.fromEntries(names.map((name) => [name, sha256(entries.get(name)!)])) }
  }
  const { entries, hashes } = await exported()
  expect(hashes).toEqual({
    [`files/${sent.id}`]: sha256(contents[0]),
    [`files/${posted.id}`]: sha256(contents[1]),
    [`files/${loose.id}`]: sha256(contents[2]),
  })
  const lines = String(entries.get('files.jsonl')).trim().split('\n')
  expect(lines).toHaveLength(3)
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({
      id: sent.id,
      message: item!.id,
      name: 'garden.bin',
      size: filePartBytes + 5,
      sha256: sha256(contents[0]),
    }),
  )
  // One whose bytes are lost is left out, and the rest is there.
  for (const part of await storedParts(service)) if (part.includes(posted.id)) await rm(part)
  expect(Object.keys((await exported()).hashes).toSorted()).toEqual(
    [`files/${sent.id}`, `files/${loose.id}`].toSorted(),
  )
})
