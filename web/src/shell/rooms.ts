// What a wallet that is signed in sees is a part of its own, so that the sign-in page loads without it.

import { forgetDraftFiles } from '../files/draft-files.ts'
import { sweepWaiting } from '../files/waiting-files.ts'
import { encryptOutgoing } from '../keys/state/encrypt-outgoing.ts'
import { FileDialogs } from '../files/FileDialogs.tsx'
import { MessageFiles } from '../files/MessageFiles.tsx'
import { showFilesBy } from '../messages/file-parts.tsx'
import { keepWhatIsRead } from '../offline/store-responses.ts'
import { noticePage } from '../search/noticed.ts'
import { forgetPaused } from '../search/pausing.ts'
import { forgetSearches } from '../search/recent.ts'
import { startDeviceSearch } from '../search/device.ts'
import { later } from '../service/later.ts'
import { onLeave } from '../sign-in/sign-out.ts'
import { draftKey } from '../thread/drafts.ts'
import { afterDeletionBy } from '../thread/entries.ts'
import { beforeSending } from '../thread/outbox.ts'
import { onConversationRead } from '../thread/use-history.ts'

beforeSending(async (entry, signal) => {
  const ready = entry.uploads ? await (await import('../files/upload.ts')).uploadFiles(entry, signal) : entry
  return ready && encryptOutgoing(ready)
})
afterDeletionBy(() => void sweepWaiting())
void sweepWaiting()
onConversationRead(noticePage)
onLeave(forgetSearches)
onLeave(forgetPaused)
onLeave((address) => forgetDraftFiles(draftKey(address, '')))
keepWhatIsRead()
void later()
  .then(startDeviceSearch)
  // Else it starts with the first search.
  .catch(() => {})
showFilesBy({ Files: MessageFiles, Dialogs: FileDialogs })

export { ConversationPage } from '../direct-messages/ConversationPage.tsx'
export { Shell } from './Shell.tsx'
export { StartPage } from './StartPage.tsx'
export { NotFoundPage } from './NotFoundPage.tsx'
