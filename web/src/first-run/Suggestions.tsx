import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { query } from '../service/api.ts'
import { useLater } from '../service/later.ts'
import { CommunityLink } from './CommunityLink.tsx'

/** Lists the largest communities of this service. */
export function Suggestions() {
  const { data } = useQuery({
    ...query('listCommunities', { query: { sort: 'active', limit: 4 } }),
    enabled: useLater(),
  })
  if (!data) return null
  return (
    <section aria-label="Communities" className="grid grid-cols-1 gap-1">
      <header className="flex min-h-11 items-center justify-between gap-2">
        <h2 className="text-base font-semibold">Communities here</h2>
        <Link to="/communities" className="px-2 py-2.5 text-sm font-medium text-accent hover:underline">
          {data.length > 0 ? 'Show all' : 'Create the first one'}
        </Link>
      </header>
      {data.length > 0 && (
        <ul className="-mx-2 grid grid-cols-1 sm:grid-cols-2">
          {data.map((entry) => (
            <li key={entry.community} className="flex min-w-0">
              <CommunityLink entry={entry} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
