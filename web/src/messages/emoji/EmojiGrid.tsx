import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { classes } from '../../ui/classes.ts'
import type { Row } from './grid.ts'
import type { Emoji } from './table.ts'

interface Props {
  id: string
  rows: Row[]
  /** The emoji with this number is chosen by Enter, and is in this row. */
  at: number
  row: number | undefined
  /** Returns an emoji as it is shown and chosen: in a skin tone. */
  shown: (emoji: Emoji) => string
  onPick: (emoji: Emoji) => void
}

const hasTouch = matchMedia('(pointer: coarse)').matches
const height = hasTouch ? 48 : 40

/** Shows rows of emoji; only those near the visible ones are in the page. The search field has the focus and the keys. */
export function EmojiGrid({ id, rows, at, row: chosenRow, shown, onPick }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ('heading' in rows[index]! ? 32 : height),
    overscan: 4,
  })
  useEffect(() => virtual.measure(), [virtual, rows])
  useEffect(() => {
    if (chosenRow !== undefined) virtual.scrollToIndex(chosenRow === 1 ? 0 : chosenRow, { align: 'auto' })
  }, [virtual, chosenRow])
  return (
    <div ref={scroller} className="scroll-calm min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <div
        id={id}
        role="grid"
        aria-label="Emoji"
        aria-rowcount={rows.length}
        className="relative w-full"
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]!
          const place = { transform: `translateY(${start}px)`, height: 'heading' in row ? 32 : height }
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 1}
              className="absolute inset-x-0 top-0 grid grid-cols-8 place-items-center"
              style={place}
            >
              {'heading' in row ? (
                <span
                  role="rowheader"
                  className="col-span-full justify-self-start px-1.5 pt-1 text-xs font-medium text-muted"
                >
                  {row.heading}
                </span>
              ) : (
                row.emoji.map((emoji, n) => (
                  <Cell
                    key={emoji.value}
                    id={`${id}-${row.from + n}`}
                    name={emoji.name}
                    value={shown(emoji)}
                    isChosen={row.from + n === at}
                    onPick={() => onPick(emoji)}
                  />
                ))
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

interface CellProps {
  id: string
  name: string
  value: string
  isChosen: boolean
  onPick: () => void
}

const Cell = ({ id, name, value, isChosen, onPick }: CellProps) => (
  <button
    type="button"
    role="gridcell"
    id={id}
    tabIndex={-1}
    aria-label={name}
    aria-selected={isChosen}
    title={name}
    // The field keeps the focus.
    onPointerDown={(event) => event.preventDefault()}
    onClick={onPick}
    className={classes(
      'grid size-10 place-items-center rounded-lg text-2xl leading-none hover:bg-hover pointer-coarse:size-12',
      isChosen && !hasTouch && 'bg-selected forced-colors:outline-2',
    )}
  >
    {value}
  </button>
)
