import { Card } from './Card.tsx'
import { SwitchField } from './SwitchField.tsx'
import { keepLetters, useLetters } from '../state/keys.ts'

/** Lists the keys of a page, and the switch for those that are letters. */
export function KeysCard({ keys }: { keys: [key: string, does: string][] }) {
  const on = useLetters()
  return (
    <Card title="Keys">
      <dl className="flex flex-wrap gap-x-5 gap-y-2 text-sm text-muted max-sm:hidden">
        {keys.map(([key, does]) => (
          <div key={key} className="flex items-baseline gap-1.5">
            <dt>
              <kbd className="rounded-md border border-line bg-sunken px-1.5 py-0.5 font-mono text-xs text-ink">
                {key}
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <SwitchField
        label="Letter shortcuts"
        hint="When off, only arrows, Tab and Enter do something here."
        checked={on}
        onChange={keepLetters}
      />
    </Card>
  )
}
