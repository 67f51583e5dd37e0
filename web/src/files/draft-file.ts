import type { Prepared } from './pictures.ts'

/** This is a file of a message that is being written. */
export interface DraftFile {
  id: string
  /** It is as its writer has chosen it. */
  given: File
  /** This is how it will be sent; undefined while that is prepared. */
  prepared: (Prepared & { secret: string; sealedSize: number }) | undefined
  alt: string
}
