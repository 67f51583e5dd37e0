// A list above the field completes a text while it is written, after a sign such as @.

import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { classes } from '../ui/classes.ts'

/** A completion replaces the end of the text. */
export interface Completion {
  /** This replaces the typed text, with a space after it. */
  insert: string
  label: string
  hint?: string | undefined
}

export interface Completions {
  /** Matches the end of the text before the caret; its group is the text after the sign. */
  after: RegExp
  /** Returns all completions, the best ones first. */
  find: (written: string) => Completion[]
  label: string
  /** Returns what is shown when the text has no completion; empty when nothing is. */
  none?: (written: string) => string
  /** Runs with the text after the sign: the completions can be loaded now. */
  onNeeded?: (written: string) => void
}

interface Found {
  at: number
  list: Completion[]
  label: string
}

const most = 6

/** Returns the source whose sign was written, and the text after the sign. */
function findNeeded(text: string, caret: number, sources: Completions[]) {
  for (const source of sources) {
    const written = source.after.exec(text.slice(0, caret))?.[1]
    if (written !== undefined) return { source, written }
  }
  return undefined
}

function findAt(text: string, caret: number, sources: Completions[]): Found | undefined {
  for (const { after, find, label } of sources) {
    const match = after.exec(text.slice(0, caret))
    const list = match ? find(match[1]!).slice(0, most) : []
    if (list.length > 0) return { at: match!.index, list, label }
  }
  return undefined
}

interface Field {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  write: (text: string) => void
  sources: Completions[]
}

/** Returns the list of a field, the attributes of the field, and the handlers of its keys. */
export function useCompletion({ field, text, write, sources }: Field) {
  const id = useId()
  const [caret, setCaret] = useState(0)
  const [chosen, setChosen] = useState(0)
  /** The list was closed at this text. */
  const [closedAt, setClosedAt] = useState<string>()
  const found = text === closedAt ? undefined : findAt(text, caret, sources)
  const { source: needed, written = '' } = findNeeded(text, caret, sources) ?? {}
  useEffect(() => needed?.onNeeded?.(written), [needed, written])
  const none = !found && text !== closedAt && needed?.none?.(written)
  const index = found ? Math.min(chosen, found.list.length - 1) : 0

  const take = ({ at }: Found, { insert }: Completion) => {
    const next = `${text.slice(0, at)}${insert} `
    // The text is rendered at once: a caret that is set a frame later would move from where the user has put it since.
    flushSync(() => {
      write(next + text.slice(caret).replace(/^ /, ''))
      setCaret(next.length)
      setChosen(0)
    })
    field.current?.focus()
    field.current?.setSelectionRange(next.length, next.length)
  }

  /** Returns true when Enter does not complete: it adds a line, or the completion is already there. */
  const isWhole = ({ shiftKey }: KeyboardEvent) =>
    shiftKey || text.slice(found!.at, caret) === found!.list[index]!.insert

  /** Returns true when the key was meant for the list. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (!found || event.nativeEvent.isComposing) return false
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step) setChosen((index + step + found.list.length) % found.list.length)
    else if (event.key === 'Escape') setClosedAt(text)
    else if (event.key === 'Tab' || (event.key === 'Enter' && !isWhole(event)))
      take(found, found.list[index]!)
    else return false
    event.preventDefault()
    return true
  }

  const nothing: ReactNode = (
    <p role="status" className="pb-2 text-sm text-muted empty:hidden">
      {none}
    </p>
  )
  const list: ReactNode = found ? (
    <div
      role="listbox"
      id={id}
      aria-label={found.label}
      className="mb-2 overflow-hidden rounded-xl border border-line bg-raised p-1.5 shadow-float"
    >
      {found.list.map((one, n) => (
        <div
          key={`${one.insert} ${one.hint}`}
          id={`${id}-${n}`}
          role="option"
          tabIndex={-1}
          aria-selected={n === index}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(found, one)}
          onKeyDown={() => {}}
          className={classes(
            'flex min-h-10 cursor-pointer items-baseline gap-3 rounded-lg px-3 py-2 pointer-coarse:min-h-11',
            n === index && 'bg-hover',
          )}
        >
          <span className="truncate font-semibold" dir="auto">
            {one.label}
          </span>
          <span className="min-w-0 truncate text-sm text-muted" dir="auto">
            {one.hint}
          </span>
        </div>
      ))}
    </div>
  ) : (
    nothing
  )
  return {
    list,
    onKey,
    onCaret: (at: number) => setCaret(at),
    attributes: {
      'aria-autocomplete': 'list' as const,
      ...(found && { 'aria-controls': id, 'aria-activedescendant': `${id}-${index}` }),
    },
  }
}
