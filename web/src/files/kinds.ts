import { kindOf } from '@parley/sdk/files/kinds.ts'
import type { ShownFile } from './shown.ts'

/** Returns true for a picture or video. */
export const isMedia = (file: ShownFile): boolean => ['picture', 'video'].includes(kindOf(file))

/** Returns the type with which the page shows a file. Of any other type it is bytes, from which a browser makes no page. */
export const typeFor = (file: ShownFile): string =>
  kindOf(file) === 'file' ? 'application/octet-stream' : file.type
