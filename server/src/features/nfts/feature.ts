import { nfts } from '@parley/sdk/contract/nfts.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

export const nftsFeature = feature({
  endpoints: [endpoints('NFTs', nfts, handlers)],
})
