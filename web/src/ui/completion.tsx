// What completes a text while it is written: a list above the field, after a sign such as @.

import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useState } from 'react'
import { classes } from './classes.ts'

/** What may stand at the end of a text. */
export interface Completion {
  /** Stands in place of what was written, with a space behind it. */
  insert: string
  label: string
  hint?: string | undefined
}

export interface Completions {
  /** Matches the end of the text before the caret; its group is what has been written after the sign. */
  after: RegExp
  /** Of all those, the best ones first. */
  find: (written: string) => Completion[]
  /** The accessible name of the list. */
  label: string
  /** The sign was written: what there is may be asked for now. */
  onNeeded?: () => void
}

interface Found {
  at: number
  list: Completion[]
  label: string
}

const most = 6

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

/** The list of a field, the attributes of the field, and what is to be told of its keys. */
export function useCompletion({ field, text, write, sources }: Field) {
  const id = useId()
  const [caret, setCaret] = useState(0)
  const [chosen, setChosen] = useState(0)
  /** The text at which the list was closed. */
  const [closedAt, setClosedAt] = useState<string>()
  const found = text === closedAt ? undefined : findAt(text, caret, sources)
  const needed = sources.find(({ after, onNeeded }) => onNeeded && after.test(text.slice(0, caret)))
  useEffect(() => needed?.onNeeded?.(), [needed])
  const index = found ? Math.min(chosen, found.list.length - 1) : 0

  const take = ({ at }: Found, { insert }: Completion) => {
    const next = `${text.slice(0, at)}${insert} `
    write(next + text.slice(caret).replace(/^ /, ''))
    setCaret(next.length)
    setChosen(0)
    // After the text has been rendered.
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(next.length, next.length)
    })
  }

  /** Whether Enter sends: a line is to be added, or what would stand there stands there already. */
  const isWhole = ({ shiftKey }: KeyboardEvent) =>
    shiftKey || text.slice(found!.at, caret) === found!.list[index]!.insert

  /** Answers whether the key was meant for the list. */
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

  const list: ReactNode = found && (
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
