import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { addFiles } from '../files/add-files.ts'
import { forgetShared, sharedFiles } from '../files/shared.ts'
import { seedOf, titleOf, useInbox } from '../inbox/rows.ts'
import { pathAt } from '../inbox/cache.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { useMe } from '../service/session.ts'
import { draftKey } from '../thread/drafts.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { beginDraft } from '../messages/draft.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { Share2 } from 'lucide-react'

/**
 * Takes what another app shares: lets the user choose to whom it goes, and puts it into the field of that conversation.
 * Nothing is sent by itself.
 */
export function SharePage() {
  const [given] = useSearchParams()
  const navigate = useNavigate()
  const me = useMe()
  const { data: rows, error, refetch } = useInbox()
  const text = ['title', 'text', 'url']
    .map((name) => given.get(name)?.trim() ?? '')
    .filter((part, i, all) => part !== '' && all.indexOf(part) === i)
    .join('\n')
  const [files, setFiles] = useState<File[]>([])
  useEffect(() => void sharedFiles().then(setFiles), [])
  const give = (key: string) => {
    if (text !== '') beginDraft(key, text)
    addFiles(key, files)
    forgetShared()
  }
  return (
    <Page title="Share">
      <blockquote
        className="max-h-40 overflow-y-auto rounded-2xl border border-line bg-surface p-4 text-sm wrap-anywhere whitespace-pre-wrap"
        dir="auto"
      >
        {[text, ...files.map(({ name }) => name)].filter((one) => one !== '').join('\n')}
      </blockquote>
      <h2 className="text-base font-semibold">Share with</h2>
      {error && !rows && <ReadProblem error={error} what="Your chats" onRetry={() => void refetch()} />}
      {!rows && !error && <Spinner />}
      {rows?.length === 0 && (
        <EmptyState icon={<Share2 className="size-7" />} title="No conversations yet">
          Start one, then share again.
        </EmptyState>
      )}
      <ul className="grid grid-cols-1 gap-1" aria-label="Conversations to share with">
        {rows?.map((row) => {
          const addr = seedOf(row, me)
          const direct = row.context_type === 'dm'
          return (
            <li key={`${row.context_type} ${addr}`}>
              <button
                type="button"
                className="flex min-h-14 w-full items-center gap-3 rounded-xl px-2 text-start hover:bg-hover"
                onClick={() => {
                  give(draftKey(me, direct ? `dm ${addr}` : `chat ${addr.toLowerCase()}`))
                  void navigate(pathAt({ context_type: row.context_type, addr }), { replace: true })
                }}
              >
                <Avatar seed={addr} picture={row.logo} square={!direct} />
                <bdi className="truncate font-medium">{titleOf(row, me)}</bdi>
              </button>
            </li>
          )
        })}
      </ul>
    </Page>
  )
}
