import { importedFrom } from '@parley/sdk/imported.ts'
import type { ImportedClaim } from '@parley/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readClaimsAgain } from '../names/imported-claims.ts'
import { client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { showNotice } from '../state/notice.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { TextField } from '../ui/TextField.tsx'

/** Takes over the name and the messages that the reader had elsewhere, by a code. */
export function ImportedCard() {
  const { data: claims = [] } = useQuery(query('listOwnImported'))
  const [code, setCode] = useState('')
  const claim = useMutation({
    mutationFn: () => client.claimImported({ body: { code: code.trim() } }),
    onSuccess: () => {
      setCode('')
      showNotice('Your messages from there show you now')
      readClaimsAgain()
    },
  })
  return (
    <Card title="Your messages from elsewhere">
      <p className="text-sm text-pretty text-muted">
        Was a chat brought here from Discord, Telegram, Slack, Mattermost or Rocket.Chat, and did you write in
        it? Ask the administrator of {location.host} for a code. Your old messages then show who you are here.
        You can remove them. You can’t change them.
      </p>
      <ul className="grid gap-1 empty:hidden">
        {claims.map((one) => (
          <Row key={one.address} claim={one} />
        ))}
      </ul>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (code.trim()) claim.mutate()
        }}
      >
        <TextField
          label="Code"
          value={code}
          maxLength={64}
          autoComplete="off"
          placeholder="7KQM-3FXP-V2TA-9HWC-E4RN"
          error={claim.error ? describeError(claim.error) : undefined}
          onChange={({ target }) => setCode(target.value)}
        />
        <Button type="submit" className="justify-self-start" busy={claim.isPending}>
          This was me
        </Button>
      </form>
    </Card>
  )
}

function Row({ claim: { address, name } }: { claim: ImportedClaim }) {
  const release = useMutation({
    mutationFn: () => client.releaseImported({ imported: address }),
    onSettled: () => readClaimsAgain(address),
  })
  return (
    <li className="flex min-h-11 flex-wrap items-center justify-between gap-2">
      <span className="grid min-w-0">
        <span className="font-medium wrap-anywhere">{name || address}</span>
        <span className="text-sm text-muted">{importedFrom(address)}</span>
        <span role="alert" className="text-sm text-danger empty:hidden">
          {release.error && describeError(release.error)}
        </span>
      </span>
      <Button
        busy={release.isPending}
        aria-label={`${name || address} is not me`}
        onClick={() => release.mutate()}
      >
        This is not me
      </Button>
    </li>
  )
}
