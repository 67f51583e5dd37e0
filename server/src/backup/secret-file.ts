// This module reads and writes DATA_DIR/jwt-secret, which a backup holds when the operator wants it.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../config/settings.ts'
import { readSecret } from './restore.ts'

function secretFile({ dataDir }: Config): string {
  return path.join(dataDir, 'jwt-secret')
}

/** Returns the secret of a service, for its backup. */
export async function requireSecret(config: Config): Promise<string> {
  if (config.jwtSecret !== undefined)
    throw new Error('The secret is in JWT_SECRET. Keep it yourself, and leave out --with-secret.')
  return readFile(secretFile(config), 'utf8').catch(() => {
    throw new Error(`There is no secret in ${secretFile(config)}. Leave out --with-secret.`)
  })
}

/** Checks that the archive's secret can be stored, and returns the function that stores it. */
export async function prepareSecret(config: Config, file: string): Promise<() => Promise<void>> {
  const secret = await readSecret(file)
  if (secret === undefined)
    throw new Error(`${file} was made without --with-secret, so there is no secret in it.`)
  const stored = await readFile(secretFile(config), 'utf8').catch(() => undefined)
  if (stored !== undefined && stored !== secret)
    throw new Error(`${secretFile(config)} holds another secret. Move it away, or leave out --with-secret.`)
  return async () => {
    if (stored !== undefined) return
    await mkdir(config.dataDir, { recursive: true })
    await writeFile(secretFile(config), secret, { mode: 0o600, flag: 'wx', flush: true })
  }
}
