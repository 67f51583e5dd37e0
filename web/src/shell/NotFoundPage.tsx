import { Compass } from 'lucide-react'
import { Link } from 'react-router'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'

export function NotFoundPage() {
  return (
    <Page title="Nothing here">
      <EmptyState
        icon={<Compass className="size-7" />}
        title="There is no such page"
        action={
          <Link to="/" className="font-medium text-accent underline">
            To the inbox
          </Link>
        }
      >
        The address may be old, or was cut in half on its way.
      </EmptyState>
    </Page>
  )
}
