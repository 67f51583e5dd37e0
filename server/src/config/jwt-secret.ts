import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Returns the secrets that a valid signature may come from: the one that signs now, and the previous one. */
export const secretsOf = (config: { jwtSecret: string; jwtSecretPrevious?: string | undefined }): string[] =>
  config.jwtSecretPrevious ? [config.jwtSecret, config.jwtSecretPrevious] : [config.jwtSecret]

/**
 * Returns the secret that signs tokens: it is created on the first start and stored in the data directory, readable by its owner
 * only.
 */
export async function storedSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'jwt-secret')
  const stored = await read(file)
  if (stored) return stored
  await mkdir(dataDir, { recursive: true })
  // The file is written under another name and linked, so it is always complete, and two starts at once get the same secret.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
  await link(draft, file).catch((error: { code?: string }) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return (await read(file))!
}

/** Returns the previous secret while its file exists; the operator's tool writes that file. */
export const storedPreviousSecret = async (dataDir: string): Promise<string | undefined> =>
  (await readFile(path.join(dataDir, 'jwt-secret.previous'), 'utf8').catch(() => '')).trim() || undefined

async function read(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text !== undefined && Buffer.byteLength(text.trim()) < 32)
    throw new Error(
      `${file} holds no usable secret. Delete it to have a new one made; everybody signs in again then.`,
    )
  return text?.trim()
}
