import { lazy } from 'react'

/** The picker loads when it is opened. */
export const EmojiPicker = lazy(async () => ({
  default: (await import('./EmojiPicker.tsx')).EmojiPicker,
}))
