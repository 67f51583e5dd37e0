import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { classes } from './classes.ts'

/** A word that a message may begin with, after a slash. */
export interface Completion {
  word: string
  description: string
  /** Who answers to it. */
  by: string
}

export interface Completing {
  choices: Completion[]
  /** A slash was typed: what there is may be asked for now. */
  onNeeded: () => void
}

const most = 8

/** The words that a text may become, as long as it is a slash and the beginning of one. */
export function useCompletions(
  text: string,
  completing: Completing | undefined,
  write: (text: string) => void,
) {
  const id = useId()
  const [index, setIndex] = useState(0)
  const [closedAt, setClosedAt] = useState<string>()
  const begun = /^\/([a-z0-9_-]*)$/.exec(text)?.[1]
  const isOpen = begun !== undefined && text !== closedAt
  useEffect(() => {
    if (isOpen) completing?.onNeeded()
  })
  const choices = completing?.choices ?? []
  const shown = isOpen ? choices.filter(({ word }) => word.startsWith(begun)).slice(0, most) : []
  const current = shown[Math.min(index, shown.length - 1)]
  const idOf = (choice: Completion) => `${id}-${choice.word}-${choice.by}`
  const choose = ({ word }: Completion) => {
    setIndex(0)
    write(`/${word} `)
  }
  const move = (by: number) =>
    setIndex((Math.min(index, shown.length - 1) + by + shown.length) % shown.length)

  return {
    shown,
    current,
    choose,
    listId: id,
    idOf,
    /** Whether the key was for the list. */
    onKeyDown(event: KeyboardEvent): boolean {
      if (!current || event.nativeEvent.isComposing) return false
      const isChosen = event.key === 'Tab' || (event.key === 'Enter' && current.word !== begun)
      if (event.shiftKey) return false
      if (event.key === 'ArrowDown') move(1)
      else if (event.key === 'ArrowUp') move(-1)
      else if (event.key === 'Escape') setClosedAt(text)
      else if (isChosen) choose(current)
      else return false
      event.preventDefault()
      return true
    },
  }
}

export function Completions({ shown, current, choose, listId, idOf }: ReturnType<typeof useCompletions>) {
  if (shown.length === 0) return null
  return (
    <div
      id={listId}
      role="listbox"
      aria-label="Commands"
      className="mb-2 max-h-60 overflow-y-auto rounded-xl border border-line bg-surface py-1 shadow-lg"
    >
      {shown.map((choice) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={idOf(choice)}
          id={idOf(choice)}
          role="option"
          aria-selected={choice === current}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(choice)}
          className={classes(
            'flex min-h-11 cursor-pointer flex-wrap items-baseline gap-x-3 px-4 py-2 text-sm',
            choice === current && 'bg-hover',
          )}
        >
          <span className="font-medium">/{choice.word}</span>
          <span className="min-w-0 flex-1 wrap-anywhere text-muted" dir="auto">
            {choice.description}
          </span>
          <span className="text-muted" dir="auto">
            {choice.by}
          </span>
        </div>
      ))}
    </div>
  )
}
