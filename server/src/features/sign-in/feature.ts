import { signIn } from '@parley/sdk/contract/sign-in.ts'
import { sessions } from '@parley/sdk/contract/sessions.ts'
import { endpoints, feature } from '../../feature.ts'
import { deleteExpiredFailures } from './failures.ts'
import { handlers } from './routes.ts'
import { handlers as sessionHandlers } from './session-routes.ts'
import { deleteIdleSessions } from './sessions.ts'
import { deleteExpiredNonces } from './store.ts'
import { tables } from './tables.ts'

export const signInFeature = feature({
  endpoints: [endpoints('Sign-in', signIn, handlers), endpoints('Sign-in', sessions, sessionHandlers)],
  chores: [deleteExpiredNonces, deleteExpiredFailures, deleteIdleSessions],
  tables,
})
