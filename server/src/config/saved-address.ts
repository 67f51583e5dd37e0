// DATA_DIR/address stores where the service listens, for the operator's tool, which does not get PORT and HOST of the service.

import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Config, urlHere } from './settings.ts'

const fileIn = (dataDir: string) => path.join(dataDir, 'address')

/** Saves the address at which this machine reaches the service. A folder that cannot be written is no reason to fail. */
export const keepAddress = (config: Config): Promise<void> =>
  writeFile(fileIn(config.dataDir), `${urlHere(config)}\n`).catch(() => {})

/** Returns the address of the service: from PORT or HOST where one is set, else the saved one. */
export async function savedAddress(config: Config, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  if (env['PORT'] !== undefined || env['HOST'] !== undefined) return urlHere(config)
  const stored = await readFile(fileIn(config.dataDir), 'utf8').catch(() => '')
  return stored.trim() || urlHere(config)
}
