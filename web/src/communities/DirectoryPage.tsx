import type { CommunityEntry } from '@parley/sdk'
import { Plus, UsersRound, X } from 'lucide-react'
import { Link } from 'react-router'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { Button } from '../ui/Button.tsx'
import { Choices } from '../ui/Choices.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { CommunityCard, TagButton } from './CommunityCard.tsx'
import { sorts, useCommunities, useWanted } from './directory.ts'

/** Lists the communities of this service, to find one and to join it. */
export function DirectoryPage() {
  const [wanted, change] = useWanted()
  const { entries, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useCommunities(wanted)
  const { words, tag, sort } = wanted
  return (
    <Page
      title="Communities"
      wide
      actions={
        <Link
          to="/communities/new"
          className="inline-flex min-h-11 items-center gap-2 rounded-xl px-3 font-medium text-accent hover:bg-hover"
        >
          <Plus className="size-4" aria-hidden="true" /> Create
        </Link>
      }
    >
      <div className="grid gap-3">
        <SearchField
          aria-label="Find a community by name, description or tag"
          placeholder="Find by name, description or tag"
          value={words}
          autoComplete="off"
          spellCheck={false}
          maxLength={80}
          onChange={(text) => change({ words: text })}
        />
        <Choices
          legend="Order"
          dense
          choices={[...sorts]}
          chosen={sort}
          onChange={(value) => change({ sort: value })}
        />
        {tag ? (
          <Button className="justify-self-start" onClick={() => change({ tag: '' })}>
            <X className="size-4" aria-hidden="true" />
            <span className="sr-only">Show all and not only the tag</span> {tag}
          </Button>
        ) : (
          <Tags entries={entries ?? []} onTag={(one) => change({ tag: one })} />
        )}
      </div>
      <p role="status" className="sr-only">
        {entries && `${entries.length} communities`}
      </p>
      {isPending && (
        <div className="grid place-items-center py-8">
          <Spinner label="Loading communities" />
        </div>
      )}
      {error && <ReadProblem error={error} what="Communities" onRetry={() => void refetch()} />}
      {entries?.length === 0 && (
        <NothingFound words={words.trim()} tag={tag} onAll={() => change({ words: '', tag: '' })} />
      )}
      {entries && entries.length > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] gap-3">
          {entries.map((entry) => (
            <li key={entry.community} className="min-w-0">
              <CommunityCard entry={entry} onTag={(one) => change({ tag: one })} />
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

/** The most frequent tags of what is listed, to choose one. */
function Tags({ entries, onTag }: { entries: CommunityEntry[]; onTag: (tag: string) => void }) {
  const counts = new Map<string, number>()
  for (const { tags = [] } of entries) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const most = [...counts].toSorted((one, other) => other[1] - one[1]).slice(0, 10)
  if (most.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-1.5" aria-label="Tags">
      {most.map(([tag]) => (
        <li key={tag}>
          <TagButton tag={tag} onClick={() => onTag(tag)} />
        </li>
      ))}
    </ul>
  )
}

function NothingFound({ words, tag, onAll }: { words: string; tag: string; onAll: () => void }) {
  const isSearch = words !== '' || tag !== ''
  return (
    <EmptyState
      icon={<UsersRound className="size-7" />}
      title={isSearch ? 'No community found' : 'No communities yet'}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {isSearch && <Button onClick={onAll}>Show all</Button>}
          <Link
            to={`/communities/new${words && `?name=${encodeURIComponent(words)}`}`}
            className="inline-flex min-h-11 items-center px-2 font-medium text-accent underline"
          >
            {isSearch ? 'Create one' : 'Create the first one'}
          </Link>
        </div>
      }
    >
      {isSearch
        ? 'Try fewer or other words. A community that is not listed opens by its link.'
        : 'A community is a chat with a page of its own.'}
    </EmptyState>
  )
}
