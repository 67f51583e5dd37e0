import { lazy, Suspense } from 'react'
import type { Message, MessageActs } from '../messages/message.ts'
import { useStore } from '../state/store.ts'
import { askedToSave, viewedFile } from './viewed.ts'

const Viewer = lazy(async () => ({ default: (await import('./Viewer.tsx')).Viewer }))
const SaveDialog = lazy(async () => ({ default: (await import('./SaveDialog.tsx')).SaveDialog }))

interface Props {
  messages: Message[]
  acts: MessageActs
}

/** Shows what is about the files of a conversation, above it. */
export function FileDialogs({ messages, acts }: Props) {
  const viewed = useStore(viewedFile)
  const asked = useStore(askedToSave)
  return (
    <Suspense>
      {viewed !== undefined && <Viewer {...{ viewed, messages, acts }} />}
      {asked && <SaveDialog file={asked} />}
    </Suspense>
  )
}
