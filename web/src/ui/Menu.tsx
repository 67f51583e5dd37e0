import {
  cloneElement,
  type ComponentProps,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useState,
} from 'react'
import { useBackCloses } from '../state/back.ts'
import { classes } from './classes.ts'
import { createStore, useStore } from '../state/store.ts'
import type * as DropdownMenu from './dropdown-menu.ts'

type Library = typeof DropdownMenu

// The library is a tenth of all scripts, and nobody opens a menu before the page is shown: the first button of a menu
// loads it.
const library = createStore<Library | undefined>(undefined)
let isLoading = false
function load(): void {
  if (isLoading) return
  isLoading = true
  import('./dropdown-menu.ts').then(
    (loaded) => library.set(loaded),
    () => {
      isLoading = false
      setTimeout(load, 3000)
    },
  )
}

interface Props {
  trigger: ReactElement<ComponentProps<'button'>>
  align?: 'start' | 'end'
  /**
   * This has the open state, if something else than its button opens it too, and the element that has the focus after
   * that.
   */
  opened?: { open: boolean; setOpen: (open: boolean) => void; returnTo: RefObject<HTMLElement | null> }
  children: ReactNode
}

const hasTouch = () => matchMedia('(pointer: coarse)').matches

/**
 * A button opens this menu. It is not modal: a modal one needs inline styles, which the page's content security policy
 * forbids. One that a touch opens too is a sheet at the lower edge there. Pressed before its code is loaded, it opens
 * once that is there. The library replaces the button, which would take the focus and a press from it, so it does that
 * only when the menu opens: then the focus goes to the menu anyway.
 */
export function Menu({ trigger, align = 'end', opened, children }: Props) {
  const Dropdown = useStore(library)
  useEffect(load, [])
  const own = useState(false)
  const [open, setOpen] = opened ? [opened.open, opened.setOpen] : own
  const [hasOpened, setHasOpened] = useState(false)
  // The library sees the keyboard only from then on.
  const [isByKeyboard, setByKeyboard] = useState(false)
  const isSheet = opened !== undefined && hasTouch()
  if (open && Dropdown && !hasOpened) setHasOpened(true)
  if (!Dropdown || !hasOpened)
    return cloneElement(trigger, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      'aria-busy': open,
      onClick: ({ detail }) => {
        setByKeyboard(detail === 0)
        setOpen(true)
      },
      onKeyDown: (event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        setByKeyboard(true)
        setOpen(true)
      },
    })
  return (
    <Dropdown.Root modal={false} open={open} onOpenChange={setOpen}>
      <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={classes(
            'z-30 min-w-52 rounded-xl border border-line bg-raised p-1.5 shadow-float',
            isSheet && 'menu-sheet',
          )}
          onFocus={(event) => {
            if (!isByKeyboard || event.target !== event.currentTarget) return
            setByKeyboard(false)
            event.preventDefault()
            event.currentTarget.querySelector<HTMLElement>('[role=menuitem]')?.focus()
          }}
          onCloseAutoFocus={(event) => {
            if (!opened) return
            event.preventDefault()
            // The chosen item may have moved it.
            if (document.activeElement === document.body || document.activeElement?.closest('[role=menu]'))
              opened.returnTo.current?.focus({ preventScroll: true })
          }}
        >
          {isSheet && <BackCloses onClose={() => setOpen(false)} />}
          {children}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  )
}

function BackCloses({ onClose }: { onClose: () => void }) {
  useBackCloses(onClose)
  return null
}

interface ItemProps {
  icon?: ReactNode
  danger?: boolean
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon, danger = false, onSelect, children }: ItemProps) {
  const { Item } = useStore(library)!
  return (
    <Item
      onSelect={onSelect}
      className={classes(
        'flex min-h-10 items-center pointer-coarse:min-h-11 gap-3 rounded-lg px-3 py-2 outline-none data-highlighted:bg-hover [&>svg]:size-4 [&>svg]:shrink-0',
        danger && 'text-danger',
      )}
    >
      {icon}
      {children}
    </Item>
  )
}

interface RowItem {
  key: string
  label: string
  isOn: boolean
  onSelect: () => void
}

/** Shows short items beside each other: each is a sign, and `label` names it. */
export function MenuItemRow({ label, items }: { label: string; items: RowItem[] }) {
  const { Group, Item } = useStore(library)!
  return (
    <Group aria-label={label} className="flex gap-1 px-1 pb-1">
      {items.map(({ key, label: name, isOn, onSelect }) => (
        <Item
          key={key}
          aria-label={name}
          onSelect={onSelect}
          className={classes(
            'grid size-9 place-items-center rounded-full text-xl outline-none data-highlighted:bg-hover pointer-coarse:h-12 pointer-coarse:w-auto pointer-coarse:flex-1',
            isOn && 'bg-channel-soft',
          )}
        >
          <span aria-hidden="true">{key}</span>
        </Item>
      ))}
    </Group>
  )
}

export function MenuLine() {
  const { Separator } = useStore(library)!
  return <Separator className="my-1.5 h-px bg-line" />
}
