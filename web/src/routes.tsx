// What a wallet that is signed in sees, by its path. The first page loads without it (client.tsx).

import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { BrowserRouter, Navigate, Route, Routes, useLocation, useNavigate } from 'react-router'
import { cache } from './service/api.ts'
import { useAccount } from './service/session.ts'
import { takeOpened, useOpened } from './service/worker.ts'
import { ConversationPage, NotFoundPage, Shell, StartPage } from './shell/rooms.ts'
import { handOverPath } from './sign-in/handed-link.ts'
import { pairing } from './sign-in/pairing.ts'
import { SignInPage } from './sign-in/SignInPage.tsx'
import { goBack } from './state/back.ts'
import { useStore } from './state/store.ts'
import { Notice } from './ui/Notice.tsx'

const ChatPage = lazy(async () => ({ default: (await import('./group-chats/ChatPage.tsx')).ChatPage }))
const AboutChatPage = lazy(async () => ({
  default: (await import('./group-chats/AboutChatPage.tsx')).AboutChatPage,
}))
const DirectoryPage = lazy(async () => ({
  default: (await import('./communities/DirectoryPage.tsx')).DirectoryPage,
}))
const CommunityPage = lazy(async () => ({
  default: (await import('./communities/CommunityPage.tsx')).CommunityPage,
}))
const NewCommunityPage = lazy(async () => ({
  default: (await import('./communities/NewCommunityPage.tsx')).NewCommunityPage,
}))
const ModerationPage = lazy(async () => ({
  default: (await import('./chat-moderation/ModerationPage.tsx')).ModerationPage,
}))
const CommentsPage = lazy(async () => ({
  default: (await import('./comments/CommentsPage.tsx')).CommentsPage,
}))
const RequestsPage = lazy(async () => ({
  default: (await import('./contacts/RequestsPage.tsx')).RequestsPage,
}))
const SettingsPage = lazy(async () => ({
  default: (await import('./settings/SettingsPage.tsx')).SettingsPage,
}))
const OperatorRoom = lazy(async () => ({
  default: (await import('./operator/OperatorRoom.tsx')).OperatorRoom,
}))
const SharePage = lazy(async () => ({ default: (await import('./share/SharePage.tsx')).SharePage }))
const ThrowAwayLink = lazy(async () => ({
  default: (await import('./sign-in/ThrowAwayLink.tsx')).ThrowAwayLink,
}))

const HandOverPage = lazy(async () => ({
  default: (await import('./hand-over/HandOverPage.tsx')).HandOverPage,
}))

const PairingDialog = lazy(async () => ({
  default: (await import('./sign-in/PairingDialog.tsx')).PairingDialog,
}))

export const Inside = () => (
  <QueryClientProvider client={cache}>
    <BrowserRouter>
      <Routing />
    </BrowserRouter>
  </QueryClientProvider>
)

/** Shows the pages, and what any of them may need: the dialog of a wallet elsewhere, and notices. */
function Routing() {
  useNotifications()
  const paired = useStore(pairing)
  return (
    <>
      <Pages />
      <Notice />
      <Suspense>{paired && <PairingDialog {...paired} />}</Suspense>
    </>
  )
}

/** Opens the page that a notification leads to. */
function useNotifications(): void {
  const navigate = useNavigate()
  const path = useOpened()
  useEffect(() => {
    if (path === undefined) return
    takeOpened()
    void navigate(path)
  }, [path, navigate])
}

/** Signs in, or adds a wallet to those that are signed in. */
function SignInRoute() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const done = () => {
    if (pathname === '/sign-in') void navigate('/', { replace: true })
  }
  return <SignInPage pathname={pathname} onDone={done} onBack={() => goBack(navigate)} />
}

function Pages() {
  const account = useAccount()
  if (!account)
    return (
      <Suspense>
        <Routes>
          <Route path="/throw-away" element={<ThrowAwayLink />} />
          <Route path={handOverPath} element={<HandOverPage />} />
          <Route path="*" element={<SignInRoute />} />
        </Routes>
      </Suspense>
    )
  return (
    <Suspense>
      <Routes>
        <Route path="/sign-in" element={<SignInRoute />} />
        <Route path="/throw-away" element={<ThrowAwayLink />} />
        <Route path={handOverPath} element={<HandOverPage />} />
        {/* A change of wallet starts every page again. */}
        <Route key={account.address} element={<Shell />}>
          <Route index element={<StartPage />} />
          <Route path="/dm/:address" element={<ConversationPage />} />
          <Route path="/nft/:nftaddr" element={<ChatPage />} />
          <Route path="/nft/:nftaddr/about" element={<AboutChatPage />} />
          <Route path="/nft/:nftaddr/moderation" element={<ModerationPage />} />
          <Route path="/nft/:nftaddr/:nftid" element={<CommentsPage />} />
          <Route path="/c/:community" element={<CommunityPage />} />
          <Route path="/c/:community/about" element={<CommunityPage about />} />
          <Route path="/c/:community/moderation" element={<ModerationPage />} />
          <Route path="/c/:community/:room" element={<CommunityPage />} />
          <Route path="/c/:community/:room/about" element={<CommunityPage about />} />
          <Route path="/c/:community/:room/moderation" element={<ModerationPage />} />
          <Route path="/communities" element={<DirectoryPage />} />
          <Route path="/communities/new" element={<NewCommunityPage />} />
          <Route path="/requests" element={<RequestsPage />} />
          <Route path="/settings" element={<SettingsPage />} />
          <Route path="/settings/:part" element={<SettingsPage />} />
          <Route path="/operator/*" element={<OperatorRoom />} />
          <Route path="/share" element={<SharePage />} />
          <Route path="/status" element={<OperatorRoom />} />
          <Route path="/profile" element={<Navigate to="/settings/profile" replace />} />
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Routes>
    </Suspense>
  )
}
