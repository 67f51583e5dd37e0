import { expect, test } from 'vitest'
import { newDatabase } from '../../../testing/service/database.ts'
import { newPool } from '../db/client.ts'
import { releasingOnce } from './release-once.ts'

test('a connection that is released twice is there for one other alone', async () => {
  await using database = await newDatabase()
  const pool = releasingOnce(newPool({ url: database.databaseUrl, name: 'test', max: 1 }))
  try {
    const release = await new Promise<() => void>((resolve) => {
      pool.connect((_error, _client, done) => resolve(done))
    })
    release()
    const client = await pool.connect()
    release()
    // Another one holds it now, so nobody else gets it.
    expect(pool.idleCount).toBe(0)
    client.release()
    expect(await pool.query('select 1 as one').then(({ rows }) => rows)).toEqual([{ one: 1 }])
  } finally {
    await pool.end()
  }
})

test('where no connection is there in time, a release does nothing', async () => {
  await using database = await newDatabase()
  const pool = releasingOnce(
    newPool({ url: database.databaseUrl, name: 'test', max: 1, connectionTimeoutMillis: 100 }),
  )
  const held = await pool.connect()
  try {
    const [error, release] = await new Promise<[Error | undefined, () => void]>((resolve) => {
      pool.connect((failed, _client, done) => resolve([failed, done]))
    })
    expect(error?.message).toMatch(/timeout/)
    expect(release).not.toThrow()
  } finally {
    held.release()
    await pool.end()
  }
})
