// A combobox is a field with a list of results for its text: the focus stays in the field, whose arrow keys move
// through the list.

import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import { Badge } from './Badge.tsx'
import { classes } from './classes.ts'

/** A choice is one item of the list. */
export interface Choosable {
  key: string
  label: string
  hint: string
  unread?: number
  /** It is under this heading. */
  group: string
  icon: ReactNode
  /** This is shown in place of the label and the hint. */
  body?: ReactNode
}

interface Chooser<Choice> {
  /** This is the id of the list, in the page. */
  id: string
  /** The choices were found for this text: the first one is active again when it changes. */
  text: string
  choices: Choice[]
  className?: string
  /** Shown where the text finds nothing. */
  none?: string
  /** Says to screen readers what was found; their number when omitted. */
  said?: string
  onChoose: (choice: Choice) => void
  /** Runs on Enter, with the active choice and whether the arrows moved to it; `onChoose` runs when it is missing. */
  onEnter?: (current: Choice | undefined, isPointedAt: boolean) => void
}

/** Returns the attributes of the field, and its list. */
export function useChooser<Choice extends Choosable>(chooser: Chooser<Choice>) {
  const { id, text, choices, className, none, said, onChoose, onEnter } = chooser
  const [pointed, setPointed] = useState({ text, at: 0 })
  const isPointedAt = pointed.text === text && pointed.at > 0
  const last = choices.length - 1
  const at = isPointedAt ? Math.min(pointed.at, last) : 0
  const current = choices[at]
  const setAt = (next: number) => setPointed({ text, at: next })
  const idOf = (choice: Choice) => `${id}-${encodeURIComponent(choice.key)}`
  const active = current && idOf(current)
  useEffect(() => {
    if (active) document.getElementById(active)?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ]
    if (next !== undefined) setAt(next)
    else if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    else if (onEnter) onEnter(current, isPointedAt)
    else if (current) onChoose(current)
    event.preventDefault()
  }
  const nothing = text && choices.length === 0 && none
  return {
    attributes: {
      role: 'combobox',
      'aria-expanded': true,
      'aria-controls': id,
      'aria-autocomplete': 'list',
      'aria-activedescendant': active,
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      onKeyDown,
    } as const,
    list: (
      <>
        <div id={id} role="listbox" aria-label="Found" className={className}>
          {[...Map.groupBy(choices, ({ group }) => group)].map(([group, ofGroup]) => (
            <div key={group} role="group" aria-label={group}>
              <p aria-hidden="true" className="px-2 pt-2 pb-1 text-sm font-medium text-muted">
                {group}
              </p>
              {ofGroup.map((choice) => (
                <Option
                  key={choice.key}
                  id={idOf(choice)}
                  choice={choice}
                  selected={choice === current}
                  onPoint={() => setAt(choices.indexOf(choice))}
                  onChoose={() => onChoose(choice)}
                />
              ))}
            </div>
          ))}
        </div>
        <p role="status" className={nothing ? 'px-2 py-3 text-muted' : 'sr-only'}>
          {nothing || (said ?? `${choices.length} found`)}
        </p>
      </>
    ),
  }
}

interface OptionProps {
  id: string
  choice: Choosable
  selected: boolean
  onPoint: () => void
  onChoose: () => void
}

/** The focus stays in the field, which handles the keys. */
const Option = ({ id, choice, selected, onPoint, onChoose }: OptionProps) => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
  <div
    id={id}
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
    {choice.body ?? (
      <span className="grid min-w-0 flex-1 leading-snug">
        <span className="truncate font-medium" dir="auto">
          {choice.label}
        </span>
        <span className="truncate text-sm text-muted">{choice.hint}</span>
      </span>
    )}
    {choice.unread !== undefined && choice.unread > 0 && <Badge count={choice.unread} />}
  </div>
)
