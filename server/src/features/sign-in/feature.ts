import { signIn } from '@parley/sdk/contract/sign-in.ts'
import { handovers } from '@parley/sdk/contract/handovers.ts'
import { sessions } from '@parley/sdk/contract/sessions.ts'
import { endpoints, feature } from '../../feature.ts'
import { deleteExpiredFailures } from './failures.ts'
import { handlers as handoverHandlers } from './handover-routes.ts'
import { deleteExpiredHandovers } from './handovers.ts'
import { handlers } from './routes.ts'
import { handlers as sessionHandlers } from './session-routes.ts'
import { deleteIdleSessions } from './sessions.ts'
import { deleteExpiredNonces } from './store.ts'
import { tables } from './tables.ts'

export const signInFeature = feature({
  endpoints: [
    endpoints('Sign-in', signIn, handlers),
    endpoints('Sign-in', sessions, sessionHandlers),
    endpoints('Sign-in', handovers, handoverHandlers),
  ],
  chores: [deleteExpiredNonces, deleteExpiredFailures, deleteIdleSessions, deleteExpiredHandovers],
  tables,
})
