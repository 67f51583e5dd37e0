import { useMutation, useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { linkAt } from '../first-run/link.ts'
import { describeError } from '../service/describe-error.ts'
import { client, query } from '../service/api.ts'
import { shortTime } from '../state/time.ts'
import { Card } from '../ui/Card.tsx'
import { SwitchField } from '../ui/SwitchField.tsx'
import { isStillToBegin, keepPublicReading, previewOf, usePublicReading } from './public-reading.ts'

/** The owner of a community opens its chat and its rooms for reading by everybody. */
export function PublicReadingCard({ community }: { community: string }) {
  const { data: rooms = [] } = useQuery(query('listRooms', { community }))
  return (
    <Card title="Reading without signing in">
      <p className="text-sm text-pretty text-muted">
        A page shows what is written from a few minutes later on, and never what was written before. Members
        see a notice first. They stand there without a name and without an address, unless they choose to show
        their name.
      </p>
      <Chat
        nftaddr={community}
        label={rooms.length === 0 ? 'Anyone can read this' : `Anyone can read ${community}`}
      />
      {rooms.map(({ nftaddr, title }) => (
        <Chat key={nftaddr} nftaddr={nftaddr} label={`Anyone can read ${title || nftaddr}`} />
      ))}
    </Card>
  )
}

interface Choice {
  is_open: boolean
  search_engines?: boolean
}

function Chat({ nftaddr, label }: { nftaddr: string; label: string }) {
  const { data } = usePublicReading(nftaddr)
  const change = useMutation({
    mutationFn: (body: Choice) => client.setPublicReading({ nftaddr, body }),
    onSuccess: (reading) => keepPublicReading(nftaddr, reading),
  })
  if (!data) return null
  const { is_open, search_engines, since, path, offered } = data
  const begins = since && isStillToBegin(data) ? shortTime(since) : undefined
  return (
    <div>
      <SwitchField
        label={label}
        whyDisabled={!offered && !is_open && 'This service has no public pages.'}
        checked={is_open}
        busy={change.isPending}
        onChange={(open) => change.mutate({ is_open: open })}
      />
      {is_open && (
        <SwitchField
          label="Let search engines list the page"
          checked={search_engines}
          busy={change.isPending}
          onChange={(listed) => change.mutate({ is_open: true, search_engines: listed })}
        />
      )}
      {is_open && path && offered && (
        <p className="text-sm text-pretty wrap-anywhere text-muted">
          {begins ? `The page begins at ${begins}: ` : 'The page: '}
          <a
            className="inline-flex items-center gap-1 font-medium text-accent underline"
            href={previewOf(data)}
            target="_blank"
            rel="noreferrer"
          >
            {linkAt(path)}
            <ExternalLink className="size-3.5 shrink-0" aria-hidden="true" />
          </a>
        </p>
      )}
      <p role="alert" className="text-sm text-pretty wrap-anywhere text-danger empty:hidden">
        {change.error && describeError(change.error)}
      </p>
    </div>
  )
}
