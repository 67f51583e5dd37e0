import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The secrets that a valid signature of the service may be made with: the one that signs now, and
 * the one before it.
 */
export const secretsOf = (config: { jwtSecret: string; jwtSecretPrevious?: string | undefined }): string[] =>
  config.jwtSecretPrevious ? [config.jwtSecret, config.jwtSecretPrevious] : [config.jwtSecret]

/**
 * The secret that signs tokens: made on the first start and kept in the data directory, readable by
 * its owner only.
 */
export async function keptSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'jwt-secret')
  const kept = await read(file)
  if (kept) return kept
  await mkdir(dataDir, { recursive: true })
  // Written under another name and linked: the file is always complete, and two starts at once get
  // the same secret.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
  await link(draft, file).catch((error: { code?: string }) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return (await read(file))!
}

/** The secret before it, for as long as its file is there; the operator's tool writes it. */
export const keptPreviousSecret = async (dataDir: string): Promise<string | undefined> =>
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
