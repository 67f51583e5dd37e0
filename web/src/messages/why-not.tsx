import { useId, useState } from 'react'
import { classes } from '../ui/classes.ts'
import type { Attaching } from './given-files.ts'
import type { ComposerChannel } from './message.ts'

interface Now {
  text: string
  tooLong: boolean
  channel: ComposerChannel
  /** When true, nothing can be written now, and the element with this id says why. */
  isOff: boolean
  noteId: string
  attaching: Attaching | undefined
}

/**
 * Returns whether something can be sent, why nothing is sent now, and the line with it. The line is visible once it matters; before that only the
 * button has the reason.
 */
export function useWhyNot({ text, tooLong, channel, isOff, noteId, attaching }: Now) {
  const id = useId()
  /** This counts how often Send was pressed without effect, and has the text at that time. */
  const [refused, setRefused] = useState({ times: 0, text })
  const why = whyNot({ text, tooLong, channel, attaching })
  const isBad = tooLong || attaching?.why !== undefined
  const isSaid = isBad || (refused.times > 0 && refused.text === text)
  const hasContent = text.trim() !== '' || attaching?.hasFiles === true
  // The note below the field says it already.
  if (isOff)
    return {
      canSend: false,
      why: { id: noteId, text: 'You can’t write here right now.' },
      refuse: () => {},
      line: undefined,
    }
  return {
    canSend: hasContent && !isBad,
    why: why ? { id, text: why } : undefined,
    refuse: () => setRefused({ times: refused.times + 1, text }),
    line: why && (
      <p
        id={id}
        // The element is new each time, so that it is announced again.
        key={refused.times}
        role={isSaid ? 'alert' : undefined}
        className={isSaid ? classes('px-4 pt-1 text-sm', isBad ? 'text-danger' : 'text-warn') : 'sr-only'}
      >
        {why}
      </p>
    ),
  }
}

function whyNot({ text, tooLong, channel, attaching }: Omit<Now, 'isOff' | 'noteId'>): string | undefined {
  if (attaching?.why !== undefined) return attaching.why
  if (text.trim() === '' && !attaching?.hasFiles) return 'Write a message first.'
  if (tooLong)
    return `This is too long for ${channel === 'sealed' ? 'an encrypted' : 'a'} message. Split it in two.`
  return channel === 'held' ? 'Choose how to send it.' : undefined
}
