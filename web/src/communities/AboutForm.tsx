import { type CommunityInfo, mostTags } from '@parley/sdk'
import { useMutation } from '@tanstack/react-query'
import { cache, client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { useUnsaved } from '../service/unsaved.ts'
import { useGate } from '../gates/standing.ts'
import { showNotice } from '../state/notice.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { SwitchField } from '../ui/SwitchField.tsx'
import { tagProblem, tagsOf } from './about.ts'
import { AboutFields } from './AboutFields.tsx'
import { CommunityCard } from './CommunityCard.tsx'

/** The form in which its owner says what a community is about, with its card in the directory. */
export function AboutForm({ info }: { info: CommunityInfo }) {
  const { name: community, about = '', tags = [], unlisted = false } = info
  const stored = { about, tags: tags.join(', '), listed: !unlisted }
  // What was entered over another text would undo what somebody has changed since.
  const [entered = stored, enter] = useUnsaved<typeof stored>(`about ${community} ${JSON.stringify(stored)}`)
  const chosen = tagsOf(entered.tags)
  const { data: gate } = useGate(community)
  const save = useMutation({
    mutationFn: () =>
      client.setCommunityAbout({
        community,
        body: { about: entered.about, tags: chosen, listed: entered.listed },
      }),
    onSuccess: () => {
      enter(undefined)
      for (const changed of ['getCommunity', 'listCommunities'])
        void cache.invalidateQueries({ queryKey: [changed] })
      showNotice('Saved')
    },
  })
  const isSame = JSON.stringify(entered) === JSON.stringify(stored)
  return (
    <Card title="About this community">
      <form
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <AboutFields entered={entered} onChange={(part) => enter({ ...entered, ...part })} />
        <SwitchField
          label="Show in the directory"
          hint="When it is off, only members find the community here. Everybody else needs its link."
          checked={entered.listed}
          onChange={(listed) => enter({ ...entered, listed })}
        />
        <section aria-label="Preview" className="grid grid-cols-1 gap-1.5">
          <p className="text-sm font-medium">
            {entered.listed ? 'In the directory' : 'Not in the directory'}
          </p>
          <CommunityCard
            entry={{
              community,
              logo: info.logo,
              members: info.members,
              joined: info.joined,
              timestamp: info.messages.at(-1)?.timestamp ?? '',
              about: entered.about,
              tags: chosen.slice(0, mostTags),
              ...(info.official && { official: info.official }),
              ...(gate?.read_words && { to_read: gate.read_words }),
              ...(gate?.post_words && gate.post_words !== gate.read_words && { to_post: gate.post_words }),
            }}
          />
        </section>
        <Problem error={save.error} />
        <Button
          type="submit"
          variant="primary"
          className="justify-self-start"
          busy={save.isPending}
          whyDisabled={(isSame && 'Change something first.') || tagProblem(entered.tags)}
        >
          Save
        </Button>
      </form>
    </Card>
  )
}
