// Menu.tsx loads this after the page.

export { Content, Group, Item, Portal, Root, Separator, Trigger } from '@radix-ui/react-dropdown-menu'
