import type { Message } from '../messages/message.ts'
import { kindOf } from '@parley/sdk/files/kinds.ts'
import type { ShownFile } from './shown.ts'

/** A larger picture is loaded when its reader wants that. */
const mostByItself = 5 * 1024 * 1024

/** Returns true for a picture that may move, where the reader has asked pages not to move. */
export const waitsToMove = ({ type }: ShownFile): boolean =>
  type === 'image/gif' && matchMedia('(prefers-reduced-motion: reduce)').matches

/** Returns true when a picture loads by itself: not one from a person whom the reader has not accepted. */
export const loadsByItself = (file: ShownFile, { mine, linksOff = false }: Message): boolean =>
  kindOf(file) === 'picture' &&
  !waitsToMove(file) &&
  (file.waiting !== undefined || ((mine || !linksOff) && file.size <= mostByItself))
