import type { FieldError } from '@parley/sdk/contract/errors.ts'
import type { TokenNames } from './entered.ts'

/** Every block of one side of the form has this. */
export interface Form {
  chains: number[]
  names: TokenNames
  faults: FieldError[]
  /** The condition with this key was added just now: the focus goes to it. */
  added: string
  setAdded: (key: string) => void
  isFull: boolean
}
