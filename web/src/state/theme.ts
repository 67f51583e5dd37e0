export type Theme = 'system' | 'light' | 'dark'

const entry = 'parley.theme'

export const storedTheme = (): Theme => (localStorage.getItem(entry) as Theme | null) ?? 'system'

export function keepTheme(theme: Theme): void {
  localStorage.setItem(entry, theme)
  applyTheme()
}

/** Applies the theme chosen in this browser. Without a choice the page follows the system. */
export function applyTheme(): void {
  const theme = storedTheme()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
