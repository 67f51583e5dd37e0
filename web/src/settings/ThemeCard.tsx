import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { Card } from '../ui/Card.tsx'
import { Choice } from '../ui/Choices.tsx'
import { keepTheme, storedTheme, type Theme } from '../state/theme.ts'

const themes: [Theme, string, typeof Sun][] = [
  ['system', 'Like the system', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
]

export function ThemeCard() {
  const [theme, setTheme] = useState(storedTheme)
  return (
    <Card>
      <div role="radiogroup" aria-label="Appearance" className="grid grid-cols-3 gap-2">
        {themes.map(([name, label, Icon]) => (
          <Choice
            key={name}
            group="theme"
            className="grid justify-items-center gap-1.5 p-3 text-center text-sm font-medium"
            checked={theme === name}
            onChoose={() => {
              keepTheme(name)
              setTheme(name)
            }}
          >
            <Icon className="size-5" aria-hidden="true" />
            {label}
          </Choice>
        ))}
      </div>
    </Card>
  )
}
