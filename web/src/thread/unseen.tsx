import { codeOf, unseenIn, withoutUnseen } from '@parley/sdk/unseen'

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
