import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useUnsaved } from '../service/unsaved.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import { useMe } from '../service/session.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { TextField } from '../ui/TextField.tsx'
import { type EnteredAbout, tagProblem, tagsOf } from './about.ts'
import { AboutFields } from './AboutFields.tsx'
import { suggestedName } from '../names/suggested-name.ts'

const newSocial = (id: number, type = '') => ({ id, name: '', type })

interface Entered extends EnteredAbout {
  community: string
  social: ReturnType<typeof newSocial>[]
}

/** Creates a community, and says what it is about. Both may be repeated. */
async function create(community: string, { social, about, tags }: Entered): Promise<void> {
  const filled = social
    .map(({ name, type }) => ({ name: name.trim(), type: type.trim() }))
    .filter(({ name, type }) => name && type)
  await client.createCommunity({ body: { community, social: filled } })
  if (about || tags)
    await client.setCommunityAbout({ community, body: { about, tags: tagsOf(tags), listed: true } })
}

export function NewCommunityPage() {
  const me = useMe()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const given = search.get('name') ?? ''
  const empty: Entered = { community: given, social: [newSocial(0, 'twitter')], about: '', tags: '' }
  const [entered = empty, enter] = useUnsaved<Entered>(`community ${given}`)
  const { community, social, tags } = entered
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const suggested = suggestedName(community)
  const change = (id: number, part: { name?: string; type?: string }) =>
    enter({ ...entered, social: social.map((one) => (one.id === id ? { ...one, ...part } : one)) })
  const submit = async () => {
    setBusy(true)
    try {
      await create(suggested, entered)
      await client.joinChat({ body: { walletaddr: me, nftaddr: suggested } })
      enter(undefined)
      readInboxAgain()
      // Back does not lead to the form, which is done.
      void navigate(`/c/${encodeURIComponent(suggested)}`, { replace: true })
    } catch (error) {
      setProblem(describeError(error))
    }
    setBusy(false)
  }
  return (
    <Page title="Create a community">
      <form
        className="grid gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Card>
          <TextField
            label="Name"
            hint={
              suggested && suggested !== community.trim()
                ? `It will be called “${suggested}”. This can't be changed later.`
                : "Letters, digits and hyphens. Can't be changed later."
            }
            placeholder="gardeners"
            value={community}
            error={problem}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              enter({ ...entered, community: event.target.value })
              setProblem(undefined)
            }}
          />
          <AboutFields entered={entered} onChange={(part) => enter({ ...entered, ...part })} />
        </Card>
        <Card title="Links">
          {social.map(({ id, name, type }) => (
            <div key={id} className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-2">
              <TextField
                label="Network"
                placeholder="twitter"
                value={type}
                onChange={(event) => change(id, { type: event.target.value })}
              />
              <TextField
                label="Name there"
                placeholder="parley_chat"
                value={name}
                autoComplete="off"
                onChange={(event) => change(id, { name: event.target.value })}
              />
            </div>
          ))}
          <div>
            <Button
              variant="quiet"
              whyDisabled={social.length >= 32 && 'A community has at most 32 links.'}
              onClick={() => enter({ ...entered, social: [...social, newSocial(social.length)] })}
            >
              <Plus className="size-4" aria-hidden="true" /> Add another
            </Button>
          </div>
        </Card>
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            type="submit"
            variant="primary"
            busy={busy}
            whyDisabled={(!suggested && 'Enter a name with letters or digits.') || tagProblem(tags)}
          >
            Create community
          </Button>
        </div>
      </form>
    </Page>
  )
}
