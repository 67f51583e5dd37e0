import type { Looks } from './protocol.ts'

/** Lets the site choose the accent, the theme and the direction. What is no colour changes nothing. */
export function applyLooks({ theme, accent, onAccent, dir }: Looks): void {
  const root = document.documentElement
  root.dir = dir === 'rtl' ? 'rtl' : 'ltr'
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  const set = (names: string[], colour: string) => {
    if (!CSS.supports('color', colour)) return
    for (const name of names) root.style.setProperty(name, colour)
  }
  set(['--color-accent', '--color-accent-strong', '--color-mine'], accent)
  set(['--color-on-accent', '--color-on-mine', '--color-mine-muted'], onAccent)
}
