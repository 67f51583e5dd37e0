import { useVirtualizer } from '@tanstack/react-virtual'
import { Inbox, MessagesSquare, SquarePen } from 'lucide-react'
import {
  type ComponentType,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'react-router'
import { RequestsLink } from './RequestsLink.tsx'
import { Offered } from '../keys/view/Offered.tsx'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { useMe } from '../service/session.ts'
import { AccountMenu } from '../sign-in/AccountMenu.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { InboxRow } from './InboxRow.tsx'
import { InboxSkeleton } from './InboxSkeleton.tsx'
import { useWaiting } from './requests.ts'
import { InboxTabs } from './InboxTabs.tsx'
import { useNeighbours } from './neighbours.ts'
import { setStarting, useStarting } from './new-conversation-dialog.ts'
import { findRows, pathOf, type Tab, useInbox } from './rows.ts'
import { useWithUnsent } from './unsent.ts'

const NewConversation = lazy(async () => ({
  default: (await import('./NewConversation.tsx')).NewConversation,
}))
const FirstRun = lazy(async () => ({ default: (await import('../first-run/FirstRun.tsx')).FirstRun }))

interface Props {
  /** The requests are shown while there is nothing else. */
  requests: ComponentType
  /** It shows the field to search, and what is found in place of its children. */
  search: ComponentType<{ children: ReactNode }>
}

/** Lists the conversations of the wallet, newest first. */
export function InboxPane({ requests: Requests, search: Search }: Props) {
  const me = useMe()
  const { data, error, refetch } = useInbox()
  const [tab, setTab] = useState<Tab>('all')
  const starting = useStarting()
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const all = useWithUnsent(data)
  const rows = findRows(all, me, tab, '')
  useNeighbours(rows)
  const isEmpty = data !== undefined && all.length === 0
  const asked = useWaiting(data !== undefined)
  const isAsked = useLocation().pathname !== '/requests' && isEmpty && (asked ?? 0) > 0
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => 72,
    overscan: 6,
  })
  const start = (
    <Button variant="primary" onClick={() => setStarting(true)}>
      New conversation
    </Button>
  )
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-16 shrink-0 items-center gap-2 px-3">
        <AccountMenu />
        <h2 ref={heading} id="chats" tabIndex={-1} className="flex-1 text-lg font-semibold outline-none">
          Chats
        </h2>
        <IconButton label="New conversation" onClick={() => setStarting(true)}>
          <SquarePen className="size-5" />
        </IconButton>
      </header>
      <Search>
        <div className="px-3 pb-2">
          <InboxTabs rows={data ?? []} tab={tab} onChange={setTab} />
        </div>
        <Offered onDone={() => heading.current?.focus()} />
        <RequestsLink isReady={data !== undefined} />
        {isAsked && (
          <Suspense>
            <Requests />
          </Suspense>
        )}
        {error && !data && <ReadProblem error={error} what="Your chats" onRetry={() => void refetch()} />}
        <div
          ref={list}
          id="inbox-rows"
          role="tabpanel"
          aria-labelledby={`tab-${tab}`}
          tabIndex={rows.length > 0 ? undefined : 0}
          className="scroll-calm flex min-h-0 flex-1 flex-col overflow-y-auto px-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] -outline-offset-2"
        >
          {!data && !error && all.length === 0 && <InboxSkeleton />}
          {isEmpty && asked !== undefined && !isAsked && <NoConversations start={start} />}
          {/* On a screen of this size it is otherwise beside the inbox. */}
          {isEmpty && (
            <div className="-mx-2 border-t border-line bg-page md:hidden">
              <Suspense>
                <FirstRun />
              </Suspense>
            </div>
          )}
          {data && !isEmpty && rows.length === 0 && (
            <EmptyState icon={<Inbox className="size-7" />} title="Nothing here yet" action={start} />
          )}
          <ul className="relative shrink-0" onKeyDown={toNextRow} style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start: top }) => {
              const row = rows[index]!
              return (
                <li
                  key={pathOf(row, me)}
                  data-row={index}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${top}px)` }}
                >
                  <InboxRow row={row} />
                </li>
              )
            })}
          </ul>
        </div>
      </Search>
      {starting && (
        <Suspense>
          <NewConversation onClose={() => setStarting(false)} />
        </Suspense>
      )}
    </div>
  )
}

const NoConversations = ({ start }: { start: ReactNode }) => (
  <EmptyState icon={<MessagesSquare className="size-7" />} title="No conversations yet" action={start}>
    Message any wallet address. If they’re new here, your message will be waiting when they sign in.
  </EmptyState>
)
/** The arrow keys move from row to row; the rows near the screen are in the page. */
function toNextRow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const at = Number((event.target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset['row'])
  const next = event.currentTarget.querySelector<HTMLElement>(`[data-row="${at + step}"] a`)
  event.preventDefault()
  next?.focus()
}
