// These functions choose the database that a command works on.

import { access } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../config/settings.ts'
import { findRunning, startEmbedded } from '../db/embedded/start.ts'

interface Open extends AsyncDisposable {
  url: string
}

export function given(url: string): Open {
  return { url, [Symbol.asyncDispose]: async () => {} }
}

/** Opens the database of the service, which may be running. */
export async function openExisting({ databaseUrl, dataDir }: Config): Promise<Open> {
  const running = databaseUrl ?? (await findRunning(dataDir))
  if (running) return given(running)
  await access(path.join(dataDir, 'postgres', 'PG_VERSION')).catch(() => {
    throw new Error(
      `There is no database in DATA_DIR ${path.resolve(dataDir)}. Set DATA_DIR, or DATABASE_URL.`,
    )
  })
  return startEmbedded({ dataDir, log: console.error })
}

/** Opens an empty database. */
export async function openNew({ databaseUrl, dataDir }: Config): Promise<Open> {
  if (databaseUrl) return given(databaseUrl)
  if (await findRunning(dataDir))
    throw new Error(`A Parley runs on DATA_DIR ${path.resolve(dataDir)}. Stop it, or set another DATA_DIR.`)
  return startEmbedded({ dataDir, log: console.error })
}
