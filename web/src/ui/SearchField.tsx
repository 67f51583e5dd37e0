import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'onChange' | 'type' | 'className' | 'children'> {
  onChange: (text: string) => void
}

/** This field filters the list below it. */
export const SearchField = ({ onChange, ...input }: Props) => (
  <label className="flex items-center gap-2 rounded-xl bg-sunken px-3 text-muted focus-within:outline-2 focus-within:outline-accent">
    <Search className="size-4 shrink-0" aria-hidden="true" />
    <input
      {...input}
      type="search"
      onChange={(event) => onChange(event.target.value)}
      className="h-10 min-w-0 flex-1 bg-transparent text-base text-ink outline-none pointer-coarse:h-11"
    />
  </label>
)
