import type { Draft } from '@parley/sdk'
import { PencilLine } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMe } from '../service/session.ts'
import { draftKey } from '../thread/drafts.ts'
import { MarkedText } from '../messages/MarkedText.tsx'
import { UnseenNote } from '../thread/unseen.tsx'
import { Button } from '../ui/Button.tsx'
import { beginDraft } from '../messages/draft.ts'
import { discard, type Target, useDrafts } from './drafts.ts'

interface Suggestion {
  /** This is the card above the field for the next message. */
  above: ReactNode
  /** It changes when that field has to show the text. */
  field: number
  /** Call this when a message was sent: the suggestion is done then. */
  afterSending: () => void
}

/**
 * Returns the suggestions of a program for a thread, one after the other. A suggestion that is put into the field is
 * discarded when it is sent.
 */
export function useSuggestion(target: Target | undefined, thread: string): Suggestion {
  const me = useMe()
  const drafts = useDrafts(target)
  const [edited, setEdited] = useState<string>()
  const [field, setField] = useState(0)
  const shown = edited === undefined ? drafts[0] : undefined
  const edit = ({ id, message }: Draft) => {
    beginDraft(draftKey(me, thread), message)
    setEdited(id)
    setField((before) => before + 1)
  }
  return {
    above: shown && (
      <SuggestionCard
        draft={shown}
        more={drafts.length - 1}
        onEdit={() => edit(shown)}
        onDiscard={() => void discard(shown.id)}
      />
    ),
    field,
    afterSending: () => {
      if (edited === undefined) return
      setEdited(undefined)
      void discard(edited)
    },
  }
}

interface Props {
  draft: Draft
  /** This is the number of further suggestions. */
  more: number
  onEdit: () => void
  onDiscard: () => void
}

function SuggestionCard({ draft: { label, message }, more, onEdit, onDiscard }: Props) {
  return (
    <section aria-label="Suggested message" className="border-t border-line bg-surface px-3 py-3 sm:px-4">
      <div className="mx-auto grid max-w-3xl gap-3 rounded-2xl border border-line bg-raised p-3 sm:p-4">
        <h2 className="flex items-center gap-2 text-sm font-semibold">
          <PencilLine className="size-4 shrink-0 text-accent" aria-hidden="true" />
          <span className="min-w-0 flex-1 wrap-anywhere">
            {label ? (
              <>
                Suggested by <bdi>{label}</bdi>
              </>
            ) : (
              'Suggested'
            )}
          </span>
          {more > 0 && <span className="shrink-0 font-normal text-muted">{more} more</span>}
        </h2>
        <p
          dir="auto"
          // A long one scrolls, also by keyboard.
          tabIndex={0}
          className="scroll-calm max-h-40 overflow-y-auto text-base wrap-anywhere whitespace-pre-wrap"
        >
          <MarkedText text={message} all />
        </p>
        <UnseenNote text={message} />
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" onClick={onEdit}>
            Use this
          </Button>
          <Button onClick={onDiscard}>Discard</Button>
        </div>
      </div>
    </section>
  )
}
