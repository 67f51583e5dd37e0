import { kindOf } from '@parley/sdk/files/kinds.ts'
import { FileRow } from './FileRow.tsx'
import type { ShownFile } from './shown.ts'
import { SoundRow } from './SoundRow.tsx'

/** Shows a file that is no picture and no video. */
export const OtherFile = ({ file }: { file: ShownFile }) =>
  kindOf(file) === 'sound' ? <SoundRow file={file} /> : <FileRow file={file} />
