import type { AttachedFile } from '@parley/sdk/files/attached.ts'

/** A file as a message shows it: one that the service has, or one that waits in this browser to be sent. */
export interface ShownFile {
  /** This is its key in lists: the id of a stored file, or that of the entry with the place in it. */
  key: string
  name: string
  type: string
  size: number
  width?: number | undefined
  height?: number | undefined
  duration?: number | undefined
  wave?: string | undefined
  thumbhash?: string | undefined
  preview?: string | undefined
  alt?: string | undefined
  /** The service has it under this id. */
  id?: string | undefined
  /** This opens a sealed one. */
  sealed?: AttachedFile | undefined
  /** It waits in this browser: in `waiting-files.ts` under this key. */
  waiting?: string | undefined
}
