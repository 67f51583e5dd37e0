// What Menu.tsx loads after the page.

export { DropdownMenu } from 'radix-ui'
