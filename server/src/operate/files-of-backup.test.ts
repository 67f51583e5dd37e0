import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { base64data } from '../../../testing/people/reading.ts'
import { storedParts, upload } from '../../../testing/people/uploading.ts'
import { newDatabase } from '../../../testing/service/database.ts'
import { newFolder } from '../../../testing/service/files.ts'
import { newWallet, startService } from '../../../testing/service/service.ts'
import { backUpInto, restore, verify } from './data-commands.ts'

test('a backup says how many files and pictures are in it and how many are not, and a restore which are missing', async () => {
  await using service = await startService()
  await using folder = await newFolder('files-of-backup')
  const { databaseUrl } = service
  const config = { ...service.ctx.config, databaseUrl }
  const archive = (name: string) => path.join(folder.path, name)
  const backUp = (name: string, withFiles = false) => backUpInto(config, { to: archive(name), withFiles })
  expect((await backUp('none.zip')).text).toMatch(/ on disk\nNo message has a file\.$/)

  const [alice, bob] = [newWallet(), newWallet()]
  const client = await service.as(alice)
  const ids: string[] = []
  for (let n = 0; n < 2; n++) {
    const { id } = await upload(client, { toaddr: bob }, randomBytes(2 ** 20))
    await client.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'look', files: [id] } })
    ids.push(id)
  }
  expect(await backUp('without.zip')).toMatchObject({
    text: expect.stringMatching(
      /\nWithout 2 files \(2\.0 MiB\): copy DATA_DIR\/files \(or the bucket of S3_URL\) after the backup, or say --with-files\./,
    ),
    data: { files: { all: 2, bytes: 2 ** 21, in_archive: 0 } },
  })
  expect((await backUp('with.zip', true)).text).toMatch(/\nWith 2 files \(2\.0 MiB\)\.$/)
  await rm((await storedParts(service)).find((part) => part.includes(ids[0]!))!)
  expect((await backUp('damaged.zip', true)).text).toMatch(
    /\nWith 1 file \(1\.0 MiB\)\. Without 1 file \(1\.0 MiB\), whose bytes are missing or damaged: /,
  )

  expect((await verify(archive('with.zip'))).text).toMatch(/ is whole: .*\nWith 2 files \(2\.0 MiB\)\.$/s)
  expect((await verify(archive('damaged.zip'))).text).toMatch(/ is whole: .*\nWith 1 file .* Without 1 file/s)
  const restoreInto = async (name: string) => {
    await using database = await newDatabase()
    const dataDir = archive(`${name}.data`)
    const done = await restore({ ...config, databaseUrl: database.databaseUrl, dataDir }, archive(name), {})
    const list = await readFile(path.join(dataDir, 'missing-files.txt'), 'utf8').catch(() => undefined)
    return { text: done.text, missing: list?.split('\n').filter(Boolean).toSorted() }
  }
  expect(await restoreInto('with.zip')).toEqual({
    text: expect.stringContaining('2 files (2.0 MiB) restored. Start the service now.'),
    missing: undefined,
  })
  expect(await restoreInto('without.zip')).toEqual({
    text: expect.stringContaining('2 files are missing ('),
    missing: ids.toSorted(),
  })
  expect(await restoreInto('damaged.zip')).toEqual({
    text: expect.stringMatching(/1 file \(1\.0 MiB\) restored\. 1 file is missing \(/),
    missing: [ids[0]],
  })
  await service.ctx.db.query('delete from files')
  await client.createImage({ body: { addr: alice, base64data } })
  expect((await backUp('picture.zip')).text).toMatch(
    /\nNo message has a file\.\nWith 1 picture \(0\.0 MiB\)\.$/,
  )
  for (const part of await storedParts(service)) await rm(part)
  expect((await backUp('no-picture.zip')).text).toMatch(
    /\nWith 0 pictures \(0\.0 MiB\)\. The bytes of 1 more are missing or damaged, /,
  )
  expect((await restoreInto('picture.zip')).text).toContain('Start the service now.')
  expect(await restoreInto('no-picture.zip')).toEqual({
    text: expect.stringContaining('1 file is missing ('),
    missing: [expect.any(String)],
  })
  expect((await restoreInto('none.zip')).text).toMatch(
    /^Restored the data as of \S+\. Start the service now\./,
  )
})
