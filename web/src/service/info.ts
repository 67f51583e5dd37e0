import type { ServiceInfo } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { query } from './api.ts'

/** Returns what the service offers, by its settings; undefined until it is read. */
export const useServiceInfo = (): ServiceInfo | undefined =>
  useQuery({ ...query('getServiceInfo'), staleTime: Infinity }).data
