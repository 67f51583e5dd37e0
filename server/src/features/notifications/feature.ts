import { notifications } from '@parley/sdk/contract/notifications.ts'
import { announcements } from '@parley/sdk/contract/announcements.ts'
import { telegram } from '@parley/sdk/contract/telegram.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers as announcementHandlers } from './announcement-routes.ts'
import { chatReader } from './chat-reader.ts'
import { deleteExpiredDmMails } from './message-mails.ts'
import { deleteOldProgress } from './progress.ts'
import { reactionReader } from './reaction-reader.ts'
import { reader } from './reader.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'
import { tasks } from './tasks.ts'
import { followTelegram } from './telegram-poll.ts'
import { handlers as telegramHandlers } from './telegram-routes.ts'
import { deleteOldCodes, deleteOldPace } from './telegram-store.ts'
import { serveUnsubscribe } from './unsubscribe.ts'

export const notificationsFeature = feature({
  endpoints: [
    endpoints('Notifications', notifications, handlers),
    endpoints('Notifications', announcements, announcementHandlers),
    endpoints('Notifications', telegram, telegramHandlers),
  ],
  pages: serveUnsubscribe,
  tasks,
  readers: () => [reader, chatReader, reactionReader],
  loops: (ctx) => [followTelegram(ctx)],
  chores: [deleteExpiredDmMails, deleteOldProgress, deleteOldCodes, deleteOldPace],
  tables,
})
