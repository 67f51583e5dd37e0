import type { CommunityEntry } from '@parley/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Check, LogIn, Plus, Search, UsersRound } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Link } from 'react-router'
import { CommunityLink } from '../first-run/CommunityLink.tsx'
import { useMembership } from '../group-chats/joined.ts'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'

const pageSize = 30

/** Lists the communities of this service, to find one and to join it. */
export function DirectoryPage() {
  const [typed, setTyped] = useState('')
  const prefix = useDeferredValue(typed.trim())
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['listCommunities', 'pages', prefix],
    queryFn: ({ pageParam: after }) =>
      client.listCommunities({
        query: { limit: pageSize, ...(prefix && { prefix }), ...(after && { after }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)!.community),
  })
  const entries = data?.pages.flat() ?? []
  return (
    <Page
      title="Communities"
      actions={
        <Link
          to="/communities/new"
          className="inline-flex min-h-11 items-center gap-2 rounded-xl px-3 font-medium text-accent hover:bg-hover"
        >
          <Plus className="size-4" aria-hidden="true" /> Create
        </Link>
      }
    >
      <label className="flex items-center gap-2 rounded-xl border border-line-strong bg-surface px-3.5 text-muted focus-within:outline-2 focus-within:outline-accent">
        <Search className="size-4 shrink-0" aria-hidden="true" />
        <input
          type="search"
          aria-label="Find a community by the beginning of its name"
          placeholder="Find by name"
          value={typed}
          autoComplete="off"
          spellCheck={false}
          maxLength={128}
          onChange={(event) => setTyped(event.target.value)}
          className="h-11 min-w-0 flex-1 bg-transparent text-base text-ink outline-none"
        />
      </label>
      <p role="status" className="sr-only">
        {data && `${entries.length} communities`}
      </p>
      {isPending && (
        <div className="grid place-items-center py-8">
          <Spinner label="Loading communities" />
        </div>
      )}
      {error && <p className="text-danger">{describeError(error)}</p>}
      {data && entries.length === 0 && <NothingFound prefix={prefix} />}
      {entries.length > 0 && (
        <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
          {entries.map((entry) => (
            <li key={entry.community} className="flex min-w-0 items-center gap-2 px-2 py-1">
              <CommunityLink entry={entry} />
              <Membership entry={entry} />
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </Page>
  )
}

function Membership({ entry: { community, joined } }: { entry: CommunityEntry }) {
  const { busy, change } = useMembership(community)
  if (joined)
    return (
      <span className="flex shrink-0 items-center gap-1.5 px-3 text-sm text-muted">
        <Check className="size-4" aria-hidden="true" /> Joined
      </span>
    )
  return (
    <Button className="shrink-0" busy={busy} aria-label={`Join ${community}`} onClick={() => change(true)}>
      <LogIn className="size-4" aria-hidden="true" /> Join
    </Button>
  )
}

function NothingFound({ prefix }: { prefix: string }) {
  return (
    <EmptyState
      icon={<UsersRound className="size-7" />}
      title={prefix ? `No name begins with “${prefix}”` : 'No communities yet'}
      action={
        <Link
          to={`/communities/new${prefix && `?name=${encodeURIComponent(prefix)}`}`}
          className="font-medium text-accent underline"
        >
          {prefix ? 'Create it' : 'Create the first one'}
        </Link>
      }
    />
  )
}
