import { Smile } from 'lucide-react'
import { type RefObject, Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from '../../ui/IconButton.tsx'
import { EmojiPicker } from './lazy.ts'

interface Props {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  write: (text: string) => void
}

/** Puts an emoji into the field, in the place of what is selected there. */
export function EmojiButton({ field, text, write }: Props) {
  /** The picker is open beside this. */
  const [anchor, setAnchor] = useState<Element>()
  const insert = (value: string) => {
    const { selectionStart: from, selectionEnd: to } = field.current!
    // The text is rendered at once, and the picker is gone: then the field has the focus and the caret.
    flushSync(() => write(text.slice(0, from) + value + text.slice(to)))
    field.current?.focus()
    field.current?.setSelectionRange(from + value.length, from + value.length)
  }
  return (
    <>
      <IconButton
        label="Emoji"
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        className="size-11! -mx-1.5"
      >
        <Smile className="size-5.5" aria-hidden="true" />
      </IconButton>
      <Suspense>
        {anchor && <EmojiPicker anchor={anchor} onPick={insert} onClose={() => setAnchor(undefined)} />}
      </Suspense>
    </>
  )
}
