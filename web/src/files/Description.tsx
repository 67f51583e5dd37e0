import type { DraftFile } from './draft-file.ts'
import { describe } from './draft-files.ts'

interface Props {
  draft: string
  file: DraftFile
  onDone: () => void
}

/** One who opens it begins to write. */
const focus = (field: HTMLInputElement | null) => field?.focus()

/** Takes what a file shows, for somebody who cannot see it. */
export function Description({ draft, file: { id, given, prepared, alt }, onDone }: Props) {
  const name = prepared?.name ?? given.name
  return (
    <div className="pb-1">
      <input
        ref={focus}
        aria-label={`Describe ${name} for people who can’t see it`}
        placeholder="Describe it for people who can’t see it"
        value={alt}
        dir="auto"
        onChange={({ currentTarget }) => describe(draft, id, currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          if (event.nativeEvent.isComposing) return
          // Enter does not send the message.
          event.preventDefault()
          event.stopPropagation()
          onDone()
        }}
        className="min-h-10 w-full rounded-xl border border-line-strong bg-surface px-3 text-base focus:border-channel focus:outline-1 focus:-outline-offset-2 focus:outline-channel pointer-coarse:min-h-11"
      />
    </div>
  )
}
