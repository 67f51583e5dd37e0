// Invisible characters in a text are shown as marks, before it is sent.

import { codeOf, unseenIn, withoutUnseen } from '@parley/sdk/unseen'
import { Fragment } from 'react'

/** A text shows at most this many marks: a hidden text may have thousands of characters. */
const most = 50

/** Shows a text in which each misplaced invisible character is a mark. */
export function MarkedText({ text }: { text: string }) {
  const found = unseenIn(text)
  const ends = found.map(({ at, character }) => at + character.length)
  return (
    <>
      {found.slice(0, most).map(({ at, character }, index) => (
        <Fragment key={at}>
          {text.slice(ends[index - 1] ?? 0, at)}
          <span className="rounded-md bg-warn-soft px-1 text-xs font-medium whitespace-nowrap text-warn">
            hidden character {codeOf(character)}
          </span>
        </Fragment>
      ))}
      {withoutUnseen(text.slice(found.length === 0 ? 0 : ends[Math.min(most, found.length) - 1]))}
    </>
  )
}

interface Props {
  text: string
  /** Receives the text without them. */
  onRemove?: (text: string) => void
}

/** Says that a text has invisible characters; nothing when it has none. */
export function UnseenNote({ text, onRemove }: Props) {
  const found = unseenIn(text)
  if (found.length === 0) return null
  const codes = [...new Set(found.map(({ character }) => codeOf(character)))]
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-pretty wrap-anywhere text-warn"
    >
      <span className="min-w-0">
        {found.length === 1 ? 'One character' : `${found.length} characters`} of this text cannot be seen, but
        would be sent: {codes.slice(0, 5).join(', ')}
        {codes.length > 5 && ' and others'}.
      </span>
      {onRemove && (
        <button
          type="button"
          className="min-h-11 font-semibold underline"
          onClick={() => onRemove(withoutUnseen(text))}
        >
          Remove {found.length === 1 ? 'it' : 'them'}
        </button>
      )}
    </div>
  )
}
