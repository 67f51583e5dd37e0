import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useBackCloses } from '../../state/back.ts'
import { SearchField } from '../../ui/SearchField.tsx'
import { showModal } from '../../ui/show-modal.ts'
import { emojiAt, moved, type Row, rowsOf } from './grid.ts'
import { EmojiGrid } from './EmojiGrid.tsx'
import { basicEmoji, emojiName, loadEmoji } from './names.ts'
import type { Emoji, EmojiGroup } from './table.ts'
import { ToneChoice } from './ToneChoice.tsx'
import { remember, useTone, useUsed, withTone } from './tones.ts'

interface Props {
  /** It is beside this element; on a phone it is a sheet at the lower edge. */
  anchor: Element | null
  onPick: (value: string) => void
  onClose: () => void
}

const isSheet = () => matchMedia('(pointer: coarse), (max-width: 40rem)').matches

/** Shows all emoji to choose one. The search field has the focus: arrows move through the grid below it, Enter chooses. */
export function EmojiPicker({ anchor, onPick, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const gridId = useId()
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const { groups, isLoading, hasFailed, load } = useGroups()
  const tone = useTone()
  const rows = useMemo(() => rowsOf(groups, search.trim()), [groups, search])
  const current = emojiAt(rows, at)
  const shown = ({ value, hasTones }: Emoji) => (hasTones ? withTone(value, tone) : value)
  const pick = (emoji: Emoji) => {
    remember(shown(emoji))
    onClose()
    onPick(shown(emoji))
  }
  useShown(dialog, anchor)
  useBackCloses(onClose)
  const onKeyDown = (event: KeyboardEvent) => {
    const isText = search !== '' && /^(Arrow(Left|Right)|Home|End)$/.test(event.key) && at === 0
    const next = isText ? undefined : moved(rows, at, event.key)
    if (next !== undefined) setAt(next)
    // The browser would clear the search first.
    else if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && current && !event.nativeEvent.isComposing) pick(current.emoji)
    else return
    event.preventDefault()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      aria-label="Emoji"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={({ target }) => {
        if (target === dialog.current) onClose()
      }}
      className={isSheet() ? sheet : popover}
    >
      <div tabIndex={-1} data-first="" className="flex h-full flex-col gap-2 p-2 outline-none">
        <SearchField
          aria-label="Search emoji"
          placeholder="Search emoji"
          value={search}
          role="combobox"
          aria-expanded
          aria-haspopup="grid"
          aria-controls={gridId}
          aria-activedescendant={current && `${gridId}-${at}`}
          autoComplete="off"
          spellCheck={false}
          onChange={(text) => {
            setSearch(text)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        {isLoading && <Dots />}
        {!isLoading && <EmojiGrid {...{ id: gridId, rows, at, shown }} row={current?.row} onPick={pick} />}
        <p
          role="status"
          className={said(rows, isLoading, hasFailed) ? 'px-2 py-1 text-sm text-muted' : 'sr-only'}
        >
          {said(rows, isLoading, hasFailed)}{' '}
          {hasFailed && (
            <button type="button" className="min-h-8 font-semibold underline" onClick={load}>
              Try again
            </button>
          )}
        </p>
        <ToneChoice name={current?.emoji.name ?? ''} />
      </div>
    </dialog>
  )
}

const look = 'bg-raised text-ink shadow-float overflow-hidden'
const popover = `${look} fixed m-0 h-90 w-[21.5rem] rounded-2xl border border-line backdrop:bg-transparent`
const sheet = `${look} mx-auto mt-auto mb-0 h-[60dvh] w-full max-w-lg rounded-t-2xl pb-[env(safe-area-inset-bottom)]`

function said(rows: Row[], isLoading: boolean, hasFailed: boolean): string {
  if (isLoading) return ''
  if (hasFailed) return 'Couldn’t load all emoji.'
  return rows.length === 0 ? 'No emoji found.' : ''
}

/** Opens the dialog beside its anchor: above it where there is room. */
function useShown(dialog: RefObject<HTMLDialogElement | null>, anchor: Element | null): void {
  useLayoutEffect(() => {
    const element = dialog.current!
    const close = showModal(element)
    // The keyboard of a touch screen would cover the emoji.
    const first = matchMedia('(pointer: coarse)').matches ? '[data-first]' : 'input'
    element.querySelector<HTMLElement>(first)!.focus()
    if (!isSheet() && anchor) place(element, anchor.getBoundingClientRect())
    return close
  }, [dialog, anchor])
}

const margin = 8

function place(element: HTMLElement, anchor: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = element
  const within = (start: number, size: number, room: number) =>
    Math.max(margin, Math.min(start, room - size - margin))
  const above = anchor.top - height - margin
  const top = above >= margin ? above : anchor.bottom + margin
  element.style.left = `${within(anchor.left + anchor.width / 2 - width / 2, width, innerWidth)}px`
  element.style.top = `${within(top, height, innerHeight)}px`
}

/** Returns the emoji: what was used last, and all others; while they cannot be loaded those that are offered first. */
function useGroups() {
  const [all, setAll] = useState<EmojiGroup[]>()
  const [hasFailed, setFailed] = useState(false)
  const used = useUsed()
  const load = () => {
    setFailed(false)
    loadEmoji().then(setAll, () => setFailed(true))
  }
  // What is chosen here closes it, so that the row of these does not change.
  const [first] = useState(used)
  useEffect(load, [])
  const groups = useMemo(() => {
    const recent = [...new Set([...first, ...basicEmoji])].slice(0, 8)
    const named = recent.map((value) => ({
      value,
      name: emojiName(value),
      words: emojiName(value),
      hasTones: false,
    }))
    return [{ label: 'Recent', emoji: named }, ...(all ?? [])]
  }, [all, first])
  return { groups, isLoading: !all && !hasFailed, hasFailed, load }
}

const Dots = () => (
  <div role="status" aria-label="Loading emoji" className="grid flex-1 grid-cols-8 content-start gap-4 p-2">
    {Array.from({ length: 40 }, (_, n) => (
      <span key={n} className="size-6 rounded-full bg-sunken" />
    ))}
  </div>
)
