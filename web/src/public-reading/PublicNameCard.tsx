import { useMutation, useQuery } from '@tanstack/react-query'
import { cache, client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { Card } from '../ui/Card.tsx'
import { SwitchField } from '../ui/SwitchField.tsx'

/** Chooses whether public pages of communities show the name of the wallet. */
export function PublicNameCard() {
  const read = query('getPublicName')
  const { data, error } = useQuery(read)
  const change = useMutation({
    mutationFn: (shows_name: boolean) => client.setPublicName({ body: { shows_name } }),
    onSuccess: (stored) => cache.setQueryData(read.queryKey, stored),
  })
  const problem = change.error ?? error
  return (
    <Card title="Public pages">
      <SwitchField
        label="Show my name on public pages"
        hint="Some communities can be read without signing in. Your messages there have your name, or stand under “Member” with a number."
        checked={change.isPending ? change.variables : (data?.shows_name ?? false)}
        busy={!data || change.isPending}
        onChange={(shows) => change.mutate(shows)}
      />
      <p role="alert" className="text-sm text-pretty text-danger empty:hidden">
        {problem && describeError(problem)}
      </p>
    </Card>
  )
}
