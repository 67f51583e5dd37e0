import { useMutation, useQuery } from '@tanstack/react-query'
import { cache, client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { showNotice } from '../state/notice.ts'

/** Shows a mail address from the time when the service sent mails, and how to remove it. */
export function StoredMailAddress({ walletaddr }: { walletaddr: string }) {
  const read = query('getSettings', { address: walletaddr })
  const { data } = useQuery(read)
  const remove = useMutation({
    mutationFn: () => client.updateSettings({ body: { walletaddr, email: null } }),
    onSuccess: (answer) => {
      cache.setQueryData(read.queryKey, answer)
      showNotice('Address removed')
    },
  })
  const email = data?.[0]?.email
  if (!email) return null
  return (
    <Card title="Your mail address">
      <p className="text-pretty wrap-anywhere text-muted">
        {location.host} no longer sends mail but still has {email}.
      </p>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {remove.error && describeError(remove.error)}
      </p>
      <Button className="justify-self-start" busy={remove.isPending} onClick={() => remove.mutate()}>
        Remove the address
      </Button>
    </Card>
  )
}
