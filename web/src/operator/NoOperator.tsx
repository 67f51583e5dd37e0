import { ShieldX } from 'lucide-react'
import { Link } from 'react-router'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'

/** What the pages of operators show to others. */
export function NoOperator() {
  return (
    <Page title="Operators">
      <EmptyState
        icon={<ShieldX className="size-7" />}
        title="Your wallet is no operator"
        action={
          <Link to="/" className="font-medium text-accent underline">
            To the inbox
          </Link>
        }
      >
        These pages are for operators of this service. Whoever runs it adds them. If you are one, sign in with
        that wallet.
      </EmptyState>
    </Page>
  )
}
