import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { describeError } from '../service/describe-error.ts'
import { useBackCloses } from '../state/back.ts'
import { showNotice } from '../state/notice.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { showModal } from '../ui/show-modal.ts'
import { addDays, addMonths, dayOf, firstWeekday, movedBy, weeksOf } from './month.ts'

interface Props {
  /** Returns the first message at a time (epoch ms) or later. */
  find: (time: number) => Promise<{ id: number } | undefined>
  /** It is a time of the day that is chosen at first. */
  asked: string
  goTo: (id: number) => void
  /** Shows the newest messages. */
  toEnd: () => void
  onClose: () => void
}

const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'narrow' })
const longWeekday = new Intl.DateTimeFormat(undefined, { weekday: 'long' })
const wholeDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })

/** Shows the days of a month, of which one is chosen: the thread goes to its first message, or the next later one. */
export function JumpToDate({ find, asked, goTo, toEnd, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  const [day, setDay] = useState(() => dayOf(new Date(asked)))
  const [isBusy, setBusy] = useState(false)
  const [today] = useState(() => dayOf(new Date()))
  useBackCloses(onClose)
  useLayoutEffect(() => showModal(dialog.current!), [])
  const choose = async (chosen: Date | undefined) => {
    if (isBusy || (chosen && chosen > today)) return
    setBusy(true)
    const time = chosen ? new Date(chosen).setHours(0, 0, 0, 0) : 0
    try {
      const first = await find(time)
      onClose()
      if (first) goTo(first.id)
      else toEnd()
    } catch (error) {
      showNotice(describeError(error))
      setBusy(false)
    }
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={({ target }) => {
        if (target === dialog.current) onClose()
      }}
      className="mx-auto mt-auto mb-0 w-full max-w-md rounded-t-2xl bg-raised pb-[env(safe-area-inset-bottom)] text-ink shadow-float sm:mt-[12vh] sm:mb-auto sm:w-auto sm:rounded-2xl"
    >
      <div className="grid grid-cols-1 justify-items-center gap-2 p-4">
        <div className="flex w-full items-center justify-between gap-2">
          <IconButton label="Month before" onClick={() => setDay(addMonths(day, -1))}>
            <ChevronLeft className="size-5" />
          </IconButton>
          <h2 id={title} className="text-base font-semibold" aria-live="polite">
            <span className="sr-only">Jump to a date: </span>
            {month.format(day)}
          </h2>
          <IconButton label="Month after" onClick={() => setDay(addMonths(day, 1))}>
            <ChevronRight className="size-5" />
          </IconButton>
        </div>
        <Days
          {...{ day, today, isBusy }}
          labelledBy={title}
          onMove={setDay}
          onChoose={(one) => void choose(one)}
        />
        <div className="flex flex-wrap justify-center gap-1">
          <Button variant="quiet" onClick={() => void choose(undefined)}>
            First message
          </Button>
          <Button variant="quiet" onClick={() => void choose(addDays(today, -7))}>
            Last week
          </Button>
          <Button variant="quiet" onClick={() => void choose(today)}>
            Today
          </Button>
        </div>
      </div>
    </dialog>
  )
}

interface DaysProps {
  day: Date
  today: Date
  isBusy: boolean
  labelledBy: string
  onMove: (day: Date) => void
  onChoose: (day: Date) => void
}

/** The days are one tab stop: arrows move by a day or week, PageUp and PageDown by a month, with Shift by a year. */
function Days({ day, today, isBusy, labelledBy, onMove, onChoose }: DaysProps) {
  const grid = useRef<HTMLTableElement>(null)
  const first = firstWeekday()
  const weeks = weeksOf(day, first)
  // Only keys move the focus: a press on a button leaves it there.
  const byKey = useRef(true)
  useEffect(() => {
    if (byKey.current) grid.current!.querySelector<HTMLElement>('[tabindex="0"]')!.focus()
    byKey.current = false
  }, [day])
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedBy(event.key, day, first, event.shiftKey)
    if (!next || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    byKey.current = true
    onMove(next)
  }
  return (
    // Its cells take keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
    <table ref={grid} role="grid" aria-labelledby={labelledBy} aria-busy={isBusy} onKeyDown={onKeyDown}>
      <thead>
        <tr>
          {weeks[0]!.map((one) => (
            <th
              key={one.getDay()}
              scope="col"
              abbr={longWeekday.format(one)}
              className="h-8 text-xs text-muted"
            >
              {weekday.format(one)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]!.getTime()}>
            {week.map((one) => {
              const isChosen = one.getTime() === day.getTime()
              const isFuture = one > today
              return (
                <td key={one.getTime()} aria-selected={isChosen} className="p-0">
                  <button
                    type="button"
                    tabIndex={isChosen ? 0 : -1}
                    aria-label={wholeDay.format(one)}
                    aria-current={one.getTime() === today.getTime() ? 'date' : undefined}
                    aria-disabled={isFuture}
                    onClick={() => onChoose(one)}
                    className={classes(
                      'grid size-9 place-items-center rounded-full text-sm tabular-nums pointer-coarse:size-11',
                      isChosen ? 'bg-accent font-semibold text-on-accent' : 'hover:bg-hover',
                      !isChosen && (isFuture || one.getMonth() !== day.getMonth()) && 'text-muted',
                      isFuture && 'opacity-50',
                      one.getTime() === today.getTime() && !isChosen && 'border border-line-strong',
                    )}
                  >
                    {one.getDate()}
                  </button>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
