import type { DropdownMenu } from 'radix-ui'
import { cloneElement, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import { classes } from './classes.ts'
import { createStore, useStore } from './store.ts'

type Library = typeof DropdownMenu

// A tenth of all scripts, and nobody opens a menu before the page is shown.
const library = createStore<Library | undefined>(undefined)
const load = (): void =>
  void import('./dropdown-menu.ts').then(
    ({ DropdownMenu }) => library.set(DropdownMenu),
    () => setTimeout(load, 3000),
  )
load()

interface Props {
  trigger: ReactElement<ComponentProps<'button'>>
  align?: 'start' | 'end'
  children: ReactNode
}

/**
 * A menu of a button. It is not modal: a modal one needs inline styles, which the page's content
 * security policy forbids. Until its code is loaded the button is disabled.
 */
export function Menu({ trigger, align = 'end', children }: Props) {
  const Dropdown = useStore(library)
  if (!Dropdown) return cloneElement(trigger, { disabled: true })
  return (
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-30 min-w-52 rounded-xl border border-line bg-raised p-1.5 shadow-float"
        >
          {children}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  )
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

export function MenuLine() {
  const { Separator } = useStore(library)!
  return <Separator className="my-1.5 h-px bg-line" />
}
