import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { classes } from '../ui/classes.ts'
import { type Choice, useChoices } from './palette-choices.tsx'

/** Goes to a conversation, a community or a page by typing: a combobox with a list, in a dialog. */
export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const choices = useChoices(text)
  const current = choices[Math.min(at, choices.length - 1)]
  // Closed before it is removed: only then the browser returns the focus.
  useLayoutEffect(() => {
    const element = dialog.current!
    element.setAttribute('closedby', 'any')
    element.showModal()
    return () => element.close()
  }, [])
  useEffect(() => {
    document.getElementById(idOf(current))?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const choose = ({ to, act }: Choice) => {
    onClose()
    if (to) void navigate(to)
    act?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const last = choices.length - 1
    const next = { ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ]
    if (next !== undefined) {
      event.preventDefault()
      setAt(next)
    } else if (event.key === 'Enter' && current && !event.nativeEvent.isComposing) {
      event.preventDefault()
      choose(current)
    }
  }
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
          role="combobox"
          aria-label="Go to a conversation, community or page"
          aria-expanded="true"
          aria-controls="palette-choices"
          aria-autocomplete="list"
          aria-activedescendant={current && idOf(current)}
          placeholder="Where to?"
          value={text}
          autoComplete="off"
          spellCheck={false}
          maxLength={128}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          className="h-14 min-w-0 flex-1 bg-transparent text-lg text-ink outline-none"
        />
      </div>
      <div
        id="palette-choices"
        role="listbox"
        aria-label="Found"
        className="scroll-calm max-h-[50vh] overflow-y-auto p-2"
      >
        {choices.map((choice, index) => (
          <Option
            key={choice.key}
            choice={choice}
            selected={choice === current}
            onPoint={() => setAt(index)}
            onChoose={() => choose(choice)}
          />
        ))}
      </div>
      {choices.length === 0 && (
        <p className="px-4 pb-6 text-center text-muted">
          Nothing is called that here. Paste an address to write to it.
        </p>
      )}
      <p role="status" className="sr-only">
        {choices.length} found
      </p>
    </dialog>
  )
}

interface OptionProps {
  choice: Choice
  selected: boolean
  onPoint: () => void
  onChoose: () => void
}

/** The focus stays in the field, which handles the keys. */
const Option = ({ choice, selected, onPoint, onChoose }: OptionProps) => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
  <div
    id={idOf(choice)}
    role="option"
    aria-selected={selected}
    onPointerMove={onPoint}
    onClick={onChoose}
    className={classes(
      'flex min-h-14 cursor-pointer items-center gap-3 rounded-xl px-2 py-1.5',
      selected && 'bg-selected forced-colors:outline-2 forced-colors:-outline-offset-2',
    )}
  >
    {choice.icon}
    <span className="grid min-w-0 flex-1 leading-snug">
      <span className="truncate font-medium" dir="auto">
        {choice.label}
      </span>
      <span className="truncate text-sm text-muted">{choice.hint}</span>
    </span>
  </div>
)

const idOf = (choice: Choice | undefined) => (choice ? `go-${encodeURIComponent(choice.key)}` : '')
