import { pins } from '@parley/sdk/contract/pins.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const pinsFeature = feature({
  endpoints: [endpoints('Reactions and pins', pins, handlers)],
  tables,
})
