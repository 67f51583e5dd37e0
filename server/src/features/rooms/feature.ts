import { rooms } from '@parley/sdk/contract/rooms.ts'
import { endpoints, feature, ofNoWallet } from '../../feature.ts'
import { handlers } from './routes.ts'

export const roomsFeature = feature({
  endpoints: [endpoints('Rooms', rooms, handlers)],
  tables: { rooms: ofNoWallet('bound', 'of a chat') },
})
