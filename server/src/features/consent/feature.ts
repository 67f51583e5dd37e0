import { consent } from '@parley/sdk/contract/consent.ts'
import { dmPolicy } from '@parley/sdk/contract/dm-policy.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers as policyHandlers } from './policy-routes.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const consentFeature = feature({
  endpoints: [endpoints('Contacts', consent, handlers), endpoints('Contacts', dmPolicy, policyHandlers)],
  tables,
})
