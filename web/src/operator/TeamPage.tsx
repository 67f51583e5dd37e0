import { useMutation, useQuery } from '@tanstack/react-query'
import { WalletRow } from '../names/WalletRow.tsx'
import { cache, client, query } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { shortDate } from '../state/time.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { AddOfficialForm } from './AddOfficialForm.tsx'
import { OperatorNav } from './OperatorNav.tsx'

const readTeamAgain = () => {
  for (const name of ['listOfficial', 'listModerationLog', 'getTrust'])
    void cache.invalidateQueries({ queryKey: [name] })
}

/** Shows who is on the team of the service. An operator names others and takes them off it. */
export function TeamPage() {
  const { data: team, error, refetch } = useQuery(query('listOfficial'))
  const remove = useMutation({
    mutationFn: (walletaddr: string) => client.removeOfficial({ walletaddr }),
    onSettled: readTeamAgain,
  })
  return (
    <Page title="Team">
      <OperatorNav />
      <AddOfficialForm onAdded={readTeamAgain} />
      <Card title={`Team of ${location.host}`}>
        {error && !team && <ReadProblem error={error} what="The team" onRetry={() => void refetch()} />}
        {!team && !error && <Spinner />}
        {team?.length === 0 && <p className="py-1 text-sm text-muted">Nobody yet.</p>}
        <ul aria-label="Team" className="grid grid-cols-1 empty:hidden">
          {team?.map(({ address, label, since }) => (
            <WalletRow key={address} address={address} hint={`${label} since ${shortDate(since)}`}>
              <Button
                aria-label={`Take ${label} ${address.slice(0, 6)} off the team`}
                busy={remove.isPending && remove.variables === address}
                onClick={() => remove.mutate(address)}
              >
                Take off
              </Button>
            </WalletRow>
          ))}
        </ul>
        <Problem error={remove.error} />
      </Card>
    </Page>
  )
}
