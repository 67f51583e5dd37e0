import type { Config } from '../config/settings.ts'
import { openDiskStore } from './disk.ts'
import type { FileStore } from './store.ts'

/** Opens the store that the settings name. The code for S3 is loaded only where it is used. */
export async function openFileStore(
  config: Pick<Config, 's3Url' | 'dataDir' | 'diskReserve'>,
): Promise<FileStore> {
  if (config.s3Url === undefined) return openDiskStore(config)
  const { openS3Store } = await import('./s3.ts')
  return openS3Store(config.s3Url)
}
