import { Ellipsis, Pencil, Reply, SmilePlus } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { classes } from '../ui/classes.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu } from '../ui/Menu.tsx'
import { clock } from '../state/time.ts'
import { useHasBar } from './bar.ts'
import { emojiName } from './emoji/names.ts'
import { lastUsed } from './emoji/tones.ts'
import { lineOf } from './said.ts'
import type { Message, MessageActs } from './message.ts'

interface Props {
  message: Message
  author: string
  acts: MessageActs | undefined
  opened: { open: boolean; setOpen: (open: boolean) => void; returnTo: RefObject<HTMLElement | null> }
  /** These are the options in the menu. */
  children: ReactNode
}

const hasTouch = matchMedia('(pointer: coarse)').matches

/**
 * This bar is at the upper corner of a bubble while the pointer or the keyboard is there. On a touch screen a long press
 * opens the menu in its place. Only the button of the menu is always in the page: most bubbles never show the others.
 */
export function HoverBar({ message, author, acts, opened, children }: Props) {
  const isShown = useHasBar(message.key) || opened.open
  const menu = (
    <Menu
      align={message.mine ? 'end' : 'start'}
      opened={opened}
      trigger={
        <button
          type="button"
          aria-label={`Message options: ${author}, ${clock(message.timestamp)}, ${lineOf(message).slice(0, 40)}`}
          title="More"
          // Enter on the message opens it too, and a long press.
          tabIndex={-1}
          className={hasTouch ? 'sr-only' : button}
        >
          <Ellipsis className="size-4" aria-hidden="true" />
        </button>
      }
    >
      {children}
    </Menu>
  )
  return hasTouch ? (
    menu
  ) : (
    <Bar isShown={isShown} message={message} returnTo={opened.returnTo}>
      {isShown && acts && <Acts message={message} acts={acts} />}
      {menu}
    </Bar>
  )
}

const button =
  'grid size-8 shrink-0 place-items-center rounded-[0.625rem] text-muted hover:bg-hover hover:text-ink aria-expanded:bg-hover'

interface BarProps {
  message: Message
  isShown: boolean
  returnTo: RefObject<HTMLElement | null>
  children: ReactNode
}

/** Left and right go through its buttons, from the message itself too; Escape returns to the message. */
function Bar({ message: { mine }, isShown, returnTo, children }: BarProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isBelow, setBelow] = useState(false)
  useLayoutEffect(() => {
    if (!isShown) return
    const list = place.current!.closest('[role=log]')
    const above = returnTo.current!.getBoundingClientRect().top - (list?.getBoundingClientRect().top ?? 0)
    setBelow(above < 24)
  }, [isShown, returnTo])
  return (
    <div
      ref={place}
      data-bar={isShown || undefined}
      className={classes(
        'pointer-events-none absolute z-2 flex w-max min-w-[calc(100%+1rem)]',
        mine ? '-right-2 justify-start' : '-left-2 justify-end',
        isBelow ? 'top-[calc(100%-0.625rem)]' : '-top-5.5',
      )}
    >
      <div
        role="toolbar"
        aria-label="Message"
        onKeyDown={(event) => onBarKey(event, returnTo.current)}
        className={classes(
          'channel-clear flex rounded-[0.625rem] border border-line bg-raised shadow-float transition-opacity duration-120',
          isShown ? 'pointer-events-auto' : 'opacity-0',
        )}
      >
        {children}
      </div>
    </div>
  )
}

function Acts({ message, acts }: { message: Message; acts: MessageActs }) {
  const { react, reply, edit } = acts.may(message)
  const value = lastUsed()
  return (
    <>
      {react && (
        <>
          <IconButton
            label={`React with ${emojiName(value)}`}
            tabIndex={-1}
            onClick={() => acts.react(message, value)}
            className={small}
          >
            <span aria-hidden="true" className="text-base">
              {value}
            </span>
          </IconButton>
          <IconButton label="React…" tabIndex={-1} onClick={() => acts.pick(message)} className={small}>
            <SmilePlus className="size-4" />
          </IconButton>
        </>
      )}
      {reply && (
        <IconButton
          label="Reply"
          tabIndex={-1}
          onClick={() => acts.begin('reply', message)}
          className={small}
        >
          <Reply className="size-4" />
        </IconButton>
      )}
      {edit && (
        <IconButton label="Edit" tabIndex={-1} onClick={() => acts.begin('edit', message)} className={small}>
          <Pencil className="size-4" />
        </IconButton>
      )}
    </>
  )
}

const small = 'size-8! rounded-[0.625rem]!'

function onBarKey(event: KeyboardEvent<HTMLElement>, message: HTMLElement | null): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (event.key === 'Escape') message?.focus({ preventScroll: true })
  else if (step) moveInBar(event.currentTarget, step)
  else return
  event.preventDefault()
}

/** Moves the focus along the buttons of a bar, from outside to the first or the last one. */
export function moveInBar(bar: Element, step: number): void {
  const all = [...bar.querySelectorAll<HTMLElement>('button')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length
  all[next]?.focus({ preventScroll: true })
}
