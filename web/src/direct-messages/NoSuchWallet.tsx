import { UserX } from 'lucide-react'
import { Link } from 'react-router'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'

/** Shown in place of a conversation when a link names no wallet: why, and what to do. */
export const NoSuchWallet = ({ text, reason }: { text: string; reason: string }) => (
  <Page title="No such wallet">
    <EmptyState
      icon={<UserX className="size-7" />}
      title="There is no such wallet"
      action={
        <Link to="/" className="inline-flex min-h-11 items-center font-medium text-accent underline">
          To the inbox
        </Link>
      }
    >
      <span className="font-address mb-2 block wrap-anywhere text-ink">{text}</span>
      {reason}
    </EmptyState>
  </Page>
)
