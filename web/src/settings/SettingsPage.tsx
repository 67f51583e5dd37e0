import { Copy } from 'lucide-react'
import { ApiKeysCard } from '../api-keys/ApiKeysCard.tsx'
import { BotsCard } from '../bots/BotsCard.tsx'
import { PictureField } from '../images/PictureField.tsx'
import { EncryptionCard } from '../keys/EncryptionCard.tsx'
import { NameField } from '../names/NameField.tsx'
import { useAccount } from '../service/session.ts'
import { Card } from '../ui/Card.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { copy } from '../ui/notice.ts'
import { Page } from '../ui/Page.tsx'
import { DataCard } from './DataCard.tsx'
import { DmPolicyCard } from '../contacts/DmPolicyCard.tsx'
import { PeopleCard } from '../contacts/PeopleCard.tsx'
import { NoticesCard } from '../moderation/NoticesCard.tsx'
import { NotificationsCard } from './NotificationsCard.tsx'
import { PushCard } from './PushCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { TelegramCard } from './TelegramCard.tsx'
import { ThemeCard } from './ThemeCard.tsx'
import { WebhooksCard } from './WebhooksCard.tsx'
import { ThrowAwayCard } from './ThrowAwayCard.tsx'

/** The profile and the settings of the signed-in wallet. */
export function SettingsPage() {
  const { address, kind } = useAccount()!
  return (
    <Page title="Profile and settings">
      <Card title="Profile">
        <PictureField address={address} />
        <NameField address={address} />
        <div className="flex items-center gap-2">
          <p className="min-w-0 flex-1 text-sm wrap-anywhere text-muted">{address}</p>
          <IconButton label="Copy your address" onClick={() => void copy(address, 'Address copied')}>
            <Copy className="size-4" />
          </IconButton>
        </div>
      </Card>
      <NoticesCard />
      <PushCard walletaddr={address} />
      <TelegramCard />
      <NotificationsCard walletaddr={address} />
      <DmPolicyCard />
      <PeopleCard />
      <EncryptionCard />
      <ThemeCard />
      {kind === 'throw-away' && <ThrowAwayCard address={address} />}
      <SessionsCard address={address} />
      <WebhooksCard />
      <ApiKeysCard />
      <BotsCard />
      <DataCard address={address} />
    </Page>
  )
}
