import { lazy, Suspense } from 'react'
import { describeError } from '../service/describe-error.ts'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'

const GateDoor = lazy(async () => ({ default: (await import('./GateDoor.tsx')).GateDoor }))

interface Props {
  nftaddr: string
  title: string
  /** It refused what was to be read. */
  error: Error
}

/** Whether the service has refused a wallet. */
export const isRefusal = (error: Error | null): error is Error & { status: 403 } =>
  (error as { status?: number } | null)?.status === 403

/** Shows in place of a chat what it takes to get in. */
export const ClosedChat = ({ nftaddr, title, error }: Props) => (
  <Page title={title}>
    <Suspense fallback={<Spinner />}>
      <GateDoor nftaddr={nftaddr} otherwise={describeError(error)} />
    </Suspense>
  </Page>
)
