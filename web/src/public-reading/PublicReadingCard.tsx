import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { linkAt } from '../first-run/link.ts'
import { describeError } from '../service/describe-error.ts'
import { client } from '../service/api.ts'
import { shortTime } from '../state/time.ts'
import { Card } from '../ui/Card.tsx'
import { SwitchField } from '../ui/SwitchField.tsx'
import { keepPublicReading, previewOf, usePublicReading } from './public-reading.ts'

interface Choice {
  is_open: boolean
  search_engines?: boolean
}

/** The owner of a community opens it for reading by everybody; others see whether it is open. */
export function PublicReadingCard({ nftaddr, isOwner }: { nftaddr: string; isOwner: boolean }) {
  const { data } = usePublicReading(nftaddr)
  const change = useMutation({
    mutationFn: (body: Choice) => client.setPublicReading({ nftaddr, body }),
    onSuccess: (reading) => keepPublicReading(nftaddr, reading),
  })
  if (!data || (!data.is_open && !isOwner)) return null
  const { is_open, search_engines, since, path, offered } = data
  const begins = since && Date.parse(since) > Date.now() ? shortTime(since) : undefined
  return (
    <Card title="Reading without signing in">
      {isOwner ? (
        <>
          <SwitchField
            label="Anyone can read this"
            hint="Shows what is written from a few minutes later on, never what was written before. Members see a notice first. They are shown without a name and without an address unless they choose otherwise."
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
        </>
      ) : (
        <p className="text-sm text-pretty text-muted">Anyone can read this chat, without signing in.</p>
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
    </Card>
  )
}
