import type { CommunityInfo } from '@parley/sdk'
import { LogIn, MessagesSquare, Users } from 'lucide-react'
import { useNavigate } from 'react-router'
import { ModerationButton } from '../chat-moderation/ModerationButton.tsx'
import { useMembership } from '../group-chats/joined.ts'
import { Invitation } from '../group-chats/Invitation.tsx'
import { Members } from '../group-chats/Members.tsx'
import { PictureField } from '../images/PictureField.tsx'
import { onOneLine } from '../messages/format.ts'
import { MarkedText } from '../messages/MarkedText.tsx'
import { useBlocked } from '../names/blocked.ts'
import { WalletMark } from '../names/WalletMark.tsx'
import { WalletName } from '../names/WalletName.tsx'
import { Avatar } from '../seal/Avatar.tsx'
import { OfficialSign } from '../seal/OfficialSign.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { removedText } from '../thread/posts.ts'
import { relativeTime } from '../state/time.ts'
import { AboutForm } from './AboutForm.tsx'
import { RoomList } from './RoomList.tsx'
import { Socials } from './Socials.tsx'
import { TagLinks } from './TagLinks.tsx'
import { Tweets } from './Tweets.tsx'
import { membersOf } from './words.ts'

/** Shows a community, also before one joins: its latest messages, its members and its accounts elsewhere. */
export function CommunityLanding({ info }: { info: CommunityInfo }) {
  const navigate = useNavigate()
  const blocked = useBlocked()
  const { busy, change } = useMembership(info.name)
  const path = `/c/${encodeURIComponent(info.name)}`
  const onOpen = () => void navigate(path, { replace: !info.joined, state: { open: true } })
  const last = info.messages.filter(({ fromaddr }) => !blocked.has(fromaddr)).slice(-3)
  return (
    <Page title={info.name}>
      <div className="grid justify-items-center gap-3 pt-4 text-center">
        <Avatar seed={info.name} picture={info.logo} size="huge" square />
        <p className="text-2xl font-semibold tracking-tight wrap-anywhere">{info.name}</p>
        <p className="flex items-center gap-1.5 text-muted">
          <Users className="size-4" aria-hidden="true" />
          {membersOf(info.members)}
        </p>
        {info.official && <OfficialSign label={info.official} host={location.host} whole />}
        {info.about && (
          <p dir="auto" className="max-w-prose text-pretty wrap-anywhere whitespace-pre-line">
            {info.about}
          </p>
        )}
        {info.tags && <TagLinks tags={info.tags} />}
        <Socials social={info.social} />
        <div className="mt-2 flex flex-wrap justify-center gap-2">
          {!info.joined && (
            <Button variant="primary" busy={busy} onClick={() => change(true, { onSuccess: onOpen })}>
              <LogIn className="size-4" aria-hidden="true" /> Join
            </Button>
          )}
          <Button variant={info.joined ? 'primary' : 'plain'} onClick={onOpen}>
            <MessagesSquare className="size-4" aria-hidden="true" /> Open the chat
          </Button>
          <ModerationButton nftaddr={info.name} />
        </div>
      </div>
      {info.joined && (
        <Card title="Invite people">
          <Invitation path={path} seed={info.name} title={info.name} />
        </Card>
      )}
      {info.is_creator && <AboutForm info={info} />}
      {info.is_creator && (
        <Card title="Picture">
          <PictureField address={info.name} square />
        </Card>
      )}
      {last.length > 0 && (
        <Card title="Recent messages">
          <ul className="grid gap-3">
            {last.map((message) => (
              <li key={message.id} className="flex gap-3">
                <Avatar seed={message.fromaddr} size="small" />
                <div className="min-w-0 flex-1">
                  <p className="flex gap-2 text-sm">
                    <span className="truncate font-medium">
                      <WalletName address={message.fromaddr} />
                    </span>
                    <WalletMark address={message.fromaddr} />
                    <time className="shrink-0 text-muted" dateTime={message.timestamp}>
                      {relativeTime(message.timestamp)}
                    </time>
                  </p>
                  <p className="line-clamp-2 wrap-anywhere">
                    {message.removed ? (
                      <em>{removedText(message.removed_by)}</em>
                    ) : (
                      <MarkedText text={onOneLine(message.message)} />
                    )}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <RoomList community={info.name} />
      <Members nftaddr={info.name} count={info.members} />
      <Tweets tweets={info.tweets} />
    </Page>
  )
}
