import { lazy, Suspense } from 'react'
import type { Message, MessageActs } from '../messages/message.ts'
import { useStore } from '../state/store.ts'
import type { Older } from './FileList.tsx'
import { askedToSave, isListShown, viewedFile } from './viewed.ts'

const Viewer = lazy(async () => ({ default: (await import('./Viewer.tsx')).Viewer }))
const FileList = lazy(async () => ({ default: (await import('./FileList.tsx')).FileList }))
const SaveDialog = lazy(async () => ({ default: (await import('./SaveDialog.tsx')).SaveDialog }))

interface Props {
  messages: Message[]
  /** This reads older ones. */
  history: Older
  acts: MessageActs
}

/** Shows what is about the files of a conversation, above it. */
export function FileDialogs({ messages, history, acts }: Props) {
  const viewed = useStore(viewedFile)
  const isListed = useStore(isListShown)
  const asked = useStore(askedToSave)
  return (
    <Suspense>
      {isListed && <FileList {...{ messages, history }} goTo={(id) => acts.goTo(id)} />}
      {viewed !== undefined && <Viewer {...{ viewed, messages, acts }} />}
      {asked && <SaveDialog file={asked} />}
    </Suspense>
  )
}
