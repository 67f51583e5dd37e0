// What a wallet that is signed in sees is a part of its own, so that the sign-in page loads without it.

import { encryptOutgoing } from '../keys/state/encrypt-outgoing.ts'
import { FileDialogs } from '../files/FileDialogs.tsx'
import { MessageFiles } from '../files/MessageFiles.tsx'
import { showFilesBy } from '../messages/file-parts.tsx'
import { keepWhatIsRead } from '../offline/store-responses.ts'
import { beforeSending } from '../thread/outbox.ts'

beforeSending(encryptOutgoing)
keepWhatIsRead()
showFilesBy({ Files: MessageFiles, Dialogs: FileDialogs })

export { ConversationPage } from '../direct-messages/ConversationPage.tsx'
export { Shell } from './Shell.tsx'
export { StartPage } from './StartPage.tsx'
export { NotFoundPage } from './NotFoundPage.tsx'
