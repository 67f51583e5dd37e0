import { type ComponentProps, lazy, Suspense } from 'react'
import type { FileParts } from '../messages/file-parts.tsx'
import { useStore } from '../state/store.ts'
import { askedToSave, isListShown, viewedFile } from './viewed.ts'

const Viewer = lazy(async () => ({ default: (await import('./Viewer.tsx')).Viewer }))
const FileList = lazy(async () => ({ default: (await import('./FileList.tsx')).FileList }))
const SaveDialog = lazy(async () => ({ default: (await import('./SaveDialog.tsx')).SaveDialog }))

/** Shows what is about the files of a conversation, above it. */
export function FileDialogs({ messages, history, acts }: ComponentProps<FileParts['Dialogs']>) {
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
