import { images } from '@parley/sdk/contract/images.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const imagesFeature = feature({
  endpoints: [endpoints('Images', images, handlers)],
  tables,
})
