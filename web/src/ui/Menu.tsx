import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

interface Props {
  trigger: ReactNode
  align?: 'start' | 'end'
  children: ReactNode
}

/**
 * A menu of a button. It is not modal: a modal one needs inline styles, which the page's content
 * security policy forbids.
 */
export function Menu({ trigger, align = 'end', children }: Props) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-30 min-w-52 rounded-xl border border-line bg-raised p-1.5 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface ItemProps {
  icon?: ReactNode
  danger?: boolean
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon, danger = false, onSelect, children }: ItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className={classes(
        'flex min-h-10 items-center pointer-coarse:min-h-11 gap-3 rounded-lg px-3 py-2 outline-none data-highlighted:bg-hover [&>svg]:size-4 [&>svg]:shrink-0',
        danger && 'text-danger',
      )}
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  )
}

export const MenuLine = () => <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
