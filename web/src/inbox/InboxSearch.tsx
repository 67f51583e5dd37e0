import { Search } from 'lucide-react'

interface Props {
  value: string
  onChange: (text: string) => void
}

/** Filters the inbox by name and address. It tells the key of the palette, which finds more. */
export const InboxSearch = ({ value, onChange }: Props) => (
  <label className="flex items-center gap-2 rounded-xl bg-sunken px-3 text-muted focus-within:outline-2 focus-within:outline-accent">
    <Search className="size-4 shrink-0" aria-hidden="true" />
    <input
      type="search"
      aria-label="Search conversations"
      placeholder="Search by name or address"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-10 pointer-coarse:h-11 min-w-0 flex-1 bg-transparent text-base text-ink outline-none"
    />
    <kbd
      aria-hidden="true"
      className="rounded-md border border-line px-1.5 font-sans text-xs pointer-coarse:hidden"
    >
      {/Mac/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}
    </kbd>
  </label>
)
