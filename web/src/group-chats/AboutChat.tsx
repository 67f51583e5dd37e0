import { MessagesSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { ModerationButton } from '../chat-moderation/ModerationButton.tsx'
import { Avatar } from '../seal/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { Invitation } from './Invitation.tsx'
import { Members } from './Members.tsx'

interface Props {
  nftaddr: string
  title: string
  picture?: string | undefined
  path: string
  /** What the page calls it. */
  kind: 'chat' | 'room'
  /** These buttons stand beside the one that opens it. */
  buttons?: ReactNode
  children: ReactNode
}

/** Shows what there is to know about a chat, a link that invites to it, and its members. */
export function AboutChat({ nftaddr, title, picture, path, kind, buttons, children }: Props) {
  const navigate = useNavigate()
  return (
    <Page title={`About this ${kind}`}>
      <div className="grid justify-items-center gap-3 pt-4 text-center">
        <Avatar seed={nftaddr} picture={picture} size="huge" square />
        <p className="text-2xl font-semibold tracking-tight wrap-anywhere" dir="auto">
          {title}
        </p>
        {children}
        <div className="mt-2 flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={() => void navigate(path)}>
            <MessagesSquare className="size-4" aria-hidden="true" /> Open the {kind}
          </Button>
          {buttons}
          <ModerationButton nftaddr={nftaddr} />
        </div>
      </div>
      <Card title="Invite people">
        <Invitation path={path} seed={nftaddr} title={title} />
      </Card>
      <Members nftaddr={nftaddr} />
    </Page>
  )
}
