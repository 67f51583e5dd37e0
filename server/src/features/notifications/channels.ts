import { announcementMails } from './announcement-mail.ts'
import type { DigestChannel, InstantChannel } from './channel.ts'
import { mail } from './mail-channel.ts'
import { push } from './push-channel.ts'
import { telegram } from './telegram-channel.ts'

/** The channels that notify about each conversation and chat. */
export const instantChannels: readonly InstantChannel[] = [push, telegram]

/** Those that notify about an announcement. */
export const announcementChannels: readonly InstantChannel[] = [...instantChannels, announcementMails]

/** The channels that notify about all messages together. */
export const digestChannels: readonly DigestChannel[] = [mail]
