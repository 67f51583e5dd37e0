import type { InboxItem } from '@parley/sdk'
import type { KeyboardEvent } from 'react'
import { classes } from '../ui/classes.ts'
import { type Tab, tabs, unreadOf } from './rows.ts'

const labels: Record<Tab, string> = { all: 'All', dm: 'Direct', nft: 'NFT', community: 'Communities' }

interface Props {
  rows: InboxItem[]
  tab: Tab
  onChange: (tab: Tab) => void
}

/** Lists the kinds of conversations, each with its number of unread messages. */
export function InboxTabs({ rows, tab, onChange }: Props) {
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]!
    onChange(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <div
      role="tablist"
      aria-label="Kinds of conversations"
      className="-mx-3 flex gap-1 overflow-x-auto px-3 py-0.5 [scrollbar-width:none]"
      onKeyDown={move}
    >
      {tabs.map((name) => {
        const unread = unreadOf(rows, name)
        return (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === tab}
            aria-controls="inbox-rows"
            tabIndex={name === tab ? 0 : -1}
            onClick={() => onChange(name)}
            className={classes(
              'relative flex min-h-8 shrink-0 pointer-coarse:min-h-11 items-center gap-1.5 rounded-full px-3 text-sm font-medium transition-colors',
              name === tab
                ? 'bg-selected text-accent-strong forced-colors:border-2'
                : 'text-muted hover:bg-hover',
            )}
          >
            {labels[name]}
            {unread > 0 && (
              <span className="text-xs tabular-nums">
                <span aria-hidden="true">{unread > 99 ? '99+' : unread}</span>
                <span className="sr-only">{unread} unread</span>
              </span>
            )}
          </button>
        )
      })}
    </div>
  )
}
