import type { InboxItem } from '@parley/sdk'
import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useMe } from '../service/session.ts'
import { isPageOf } from './page-of.ts'
import { pathOf } from './rows.ts'

const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 }

/** Makes Alt with an arrow open the conversation above or below the open one, in the order of the list. */
export function useNeighbours(rows: InboxItem[]): void {
  const me = useMe()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.defaultPrevented || document.querySelector('dialog[open], [role=menu]')) return
    event.preventDefault()
    const at = rows.findIndex((row) => isPageOf(pathOf(row, me), pathname))
    const next = rows[at < 0 ? 0 : at + step]
    if (next) void navigate(pathOf(next, me))
  })
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
