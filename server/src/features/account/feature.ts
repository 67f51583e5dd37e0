import { account } from '@parley/sdk/contract/account.ts'
import { endpoints, type Feature, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

/** Exports and erases the tables of all features. */
export const accountFeature = (all: () => readonly Feature[]) =>
  feature({
    endpoints: [endpoints('Account', account, handlers(all))],
  })
