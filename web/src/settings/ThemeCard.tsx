import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { Card } from '../ui/Card.tsx'
import { classes } from '../ui/classes.ts'
import { keepTheme, keptTheme, type Theme } from '../ui/theme.ts'

const themes: [Theme, string, typeof Sun][] = [
  ['system', 'Like the system', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
]

export function ThemeCard() {
  const [theme, setTheme] = useState(keptTheme)
  return (
    <Card title="Appearance">
      <div role="radiogroup" aria-label="Appearance" className="grid grid-cols-3 gap-2">
        {themes.map(([name, label, Icon]) => (
          <label
            key={name}
            className={classes(
              'relative grid cursor-pointer justify-items-center gap-1.5 rounded-xl border p-3 text-center text-sm font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent',
              theme === name ? 'border-accent bg-selected' : 'border-line hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name="theme"
              className="sr-only"
              checked={theme === name}
              onChange={() => {
                keepTheme(name)
                setTheme(name)
              }}
            />
            <Icon className="size-5" aria-hidden="true" />
            {label}
          </label>
        ))}
      </div>
    </Card>
  )
}
