import { toBase64 } from '@parley/sdk/bytes.ts'
import { newFileSecret, sealedSizeOf } from '@parley/sdk/files'
import { fileNameOf, fileTypeOf } from '@parley/sdk/files/attached.ts'
import type { DraftFile } from './draft-file.ts'
import { prepareFile, type Prepared } from './pictures.ts'
import type { Recorded } from './recording.ts'

/** Prepares a file of a draft; one that cannot be prepared is sent as it is. */
export async function prepareDraft(given: File, isCompressed: boolean): Promise<DraftFile['prepared']> {
  const asItIs: Prepared = { file: given, name: fileNameOf(given.name), type: fileTypeOf(given.type) }
  const prepared = await prepareFile(given, isCompressed).catch(() => asItIs)
  return withSecret(prepared)
}

/** Prepares a voice note, which is sent as it was recorded. */
export const prepareRecorded = ({ file, duration, wave }: Recorded) =>
  withSecret({ file, name: fileNameOf(file.name), type: fileTypeOf(file.type), duration, wave })

const withSecret = (prepared: Prepared): NonNullable<DraftFile['prepared']> => ({
  ...prepared,
  secret: toBase64(newFileSecret()),
  sealedSize: sealedSizeOf(prepared.file.size),
})
