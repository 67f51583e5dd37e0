import { Search } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useChooser } from '../ui/chooser.tsx'
import { showModal } from '../ui/show-modal.ts'
import { type Choice, useChoices } from './palette-choices.tsx'

/** Opens a conversation, a community or a page by typing: a combobox with a list, in a dialog. */
export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const choices = useChoices(text)
  useLayoutEffect(() => {
    const element = dialog.current!
    element.setAttribute('closedby', 'any')
    return showModal(element)
  }, [])
  const onChoose = ({ to, act }: Choice) => {
    onClose()
    if (to) void navigate(to)
    act?.()
  }
  const { attributes, list } = useChooser({
    id: 'palette-choices',
    text,
    choices,
    onChoose,
    className: 'scroll-calm max-h-[50vh] overflow-y-auto p-2',
  })
  return (
    <dialog
      ref={dialog}
      aria-label="Go to"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className="mx-auto mt-[12vh] w-[min(34rem,calc(100vw-1.5rem))] overflow-hidden rounded-2xl bg-raised text-ink shadow-float"
    >
      <div className="flex items-center gap-3 border-b border-line px-4 text-muted">
        <Search className="size-5 shrink-0" aria-hidden="true" />
        <input
          {...attributes}
          aria-label="Go to a conversation, community or page"
          placeholder="Jump to…"
          value={text}
          maxLength={128}
          onChange={(event) => setText(event.target.value)}
          className="h-14 min-w-0 flex-1 bg-transparent text-lg text-ink outline-none"
        />
      </div>
      {list}
      {choices.length === 0 && (
        <p className="px-4 pb-6 text-center text-muted">No matches. Paste an address to message it.</p>
      )}
    </dialog>
  )
}
