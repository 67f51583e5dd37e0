import type { ChatRule } from '@parley/sdk/contract/chat-moderation-models.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { cache, client, query } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { useUnsaved } from '../service/unsaved.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Choices } from '../ui/Choices.tsx'
import { showNotice } from '../state/notice.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import type { Role } from './roles.ts'
import { slowChoices, slowWords } from './labels.ts'

/** Shows the rules by which a chat is moderated; its owner sets them. */
export function RulesCard({ nftaddr, role }: { nftaddr: string; role: Role | undefined }) {
  const { data, error, refetch } = useQuery({ ...query('getChatRules', { nftaddr }), staleTime: 0 })
  return (
    <Card title="Rules">
      {error && !data && <ReadProblem error={error} what="Rules" onRetry={() => void refetch()} />}
      {!data && !error && <Spinner />}
      {data && role === 'owner' && <RulesForm nftaddr={nftaddr} rules={data} />}
      {data && role !== 'owner' && (
        <>
          <p className="text-sm text-pretty text-muted">
            {data.slow_seconds === 0
              ? 'Slow mode is off.'
              : `Slow mode: ${slowWords(data.slow_seconds)} between posts.`}
          </p>
          {role && (
            <p className="text-sm text-pretty wrap-anywhere text-muted">
              {data.words.length === 0
                ? 'No words are held for approval.'
                : `Posts with these words are held for approval: ${data.words.join(', ')}`}
            </p>
          )}
        </>
      )}
    </Card>
  )
}

const wordsOf = (text: string) => [
  ...new Set(
    text
      .split(/[\n,]/)
      .map((word) => word.trim())
      .filter(Boolean),
  ),
]

function RulesForm({ nftaddr, rules }: { nftaddr: string; rules: ChatRule }) {
  const stored = { slow: String(rules.slow_seconds), text: rules.words.join('\n') }
  // What was entered over other rules would undo what somebody has changed since.
  const [entered = stored, enter] = useUnsaved<typeof stored>(`rules of ${nftaddr} ${JSON.stringify(rules)}`)
  const { slow, text } = entered
  const next = { slow_seconds: Number(slow), words: wordsOf(text) }
  const isChanged =
    next.slow_seconds !== rules.slow_seconds || next.words.join('\n') !== rules.words.join('\n')
  const save = useMutation({
    mutationFn: () => client.setChatRules({ nftaddr, body: next }),
    onSuccess: (after) => {
      enter(undefined)
      cache.setQueryData(query('getChatRules', { nftaddr }).queryKey, after)
      void cache.invalidateQueries({ queryKey: ['listChatLog', nftaddr] })
      showNotice('Saved')
    },
  })
  return (
    <form
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Choices
        legend="Slow mode: time between posts"
        choices={slowChoices(rules.slow_seconds)}
        chosen={slow}
        onChange={(value) => enter({ ...entered, slow: value })}
      />
      <TextArea
        label="Hold posts with these words"
        hint="One per line, up to 100. Upper and lower case and look-alike letters are matched. Doesn’t apply to moderators, and only they see the list."
        rows={4}
        most={8000}
        value={text}
        onChange={(value) => enter({ ...entered, text: value })}
      />
      <Problem error={save.error} />
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        busy={save.isPending}
        whyDisabled={!isChanged && 'Change a rule first.'}
      >
        Save the rules
      </Button>
    </form>
  )
}
