// The settings have these pages with these cards. A link that ends with the id of a card leads to its page, whichever
// page it names: addresses like /settings#api-keys are in texts and mails.

import {
  Bell,
  Code,
  Database,
  Lock,
  type LucideIcon,
  MonitorSmartphone,
  Palette,
  UserRound,
  Users,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { AnnouncingChatsCard } from '../group-chats/AnnouncingChatsCard.tsx'
import { ApiKeysCard } from '../api-keys/ApiKeysCard.tsx'
import { BotsCard } from '../bots/BotsCard.tsx'
import { DmPolicyCard } from '../contacts/DmPolicyCard.tsx'
import { PeopleCard } from '../contacts/PeopleCard.tsx'
import { EncryptionCard } from '../keys/view/EncryptionCard.tsx'
import { NoticesCard } from '../moderation/NoticesCard.tsx'
import { PublicNameCard } from '../public-reading/PublicNameCard.tsx'
import { DataCard } from './DataCard.tsx'
import { DeviceSearchCard } from './DeviceSearchCard.tsx'
import { ImportedCard } from './ImportedCard.tsx'
import { NotificationsCard } from './NotificationsCard.tsx'
import { NotOfferedCard } from './NotOfferedCard.tsx'
import { PasskeyCard } from './PasskeyCard.tsx'
import { ProfileSettings } from './ProfileSettings.tsx'
import { PushCard } from './PushCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { TelegramCard } from './TelegramCard.tsx'
import { ThemeCard } from './ThemeCard.tsx'
import { ThrowAwayCard } from './ThrowAwayCard.tsx'
import { WebhooksCard } from './WebhooksCard.tsx'

export interface SettingsPart {
  /** This is the last part of its address. */
  path: string
  title: string
  /** The list shows this about its content. */
  hint: string
  Icon: LucideIcon
  /** The cards are in their order, each under the id that ends a link to it. */
  cards: Record<string, ComponentType<{ address: string }>>
}

export const parts: SettingsPart[] = [
  {
    path: 'profile',
    title: 'Profile',
    hint: 'Name, picture, address',
    Icon: UserRound,
    cards: {
      profile: ProfileSettings,
      passkey: PasskeyCard,
      'throw-away': ThrowAwayCard,
      imported: ImportedCard,
    },
  },
  {
    path: 'notifications',
    title: 'Notifications',
    hint: 'How you are notified, and when',
    Icon: Bell,
    cards: {
      push: PushCard,
      telegram: TelegramCard,
      mail: NotificationsCard,
      announcements: AnnouncingChatsCard,
      'not-offered': NotOfferedCard,
    },
  },
  {
    path: 'privacy',
    title: 'Privacy & contacts',
    hint: 'Who can write to you, who is blocked',
    Icon: Users,
    cards: {
      'who-can-write': DmPolicyCard,
      people: PeopleCard,
      'public-name': PublicNameCard,
      notices: NoticesCard,
    },
  },
  {
    path: 'encryption',
    title: 'Encryption',
    hint: 'Your key and its backup',
    Icon: Lock,
    cards: { encryption: EncryptionCard, 'device-search': DeviceSearchCard },
  },
  {
    path: 'devices',
    title: 'Devices',
    hint: 'Where you are signed in',
    Icon: MonitorSmartphone,
    cards: { sessions: SessionsCard },
  },
  {
    path: 'appearance',
    title: 'Appearance',
    hint: 'Light, dark',
    Icon: Palette,
    cards: { theme: ThemeCard },
  },
  {
    path: 'developer',
    title: 'Developer',
    hint: 'API keys, bots, webhooks',
    Icon: Code,
    cards: { 'api-keys': ApiKeysCard, bots: BotsCard, webhooks: WebhooksCard },
  },
  {
    path: 'data',
    title: 'Your data',
    hint: 'Download it, erase your wallet here',
    Icon: Database,
    cards: { data: DataCard },
  },
]
