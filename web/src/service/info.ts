import type { ServiceInfo } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { query } from './api.ts'

/** Returns what the service offers, by its settings; undefined until it is read. What may wait reads it when `isRead` becomes true. */
export const useServiceInfo = (isRead = true): ServiceInfo | undefined =>
  useQuery({ ...query('getServiceInfo'), staleTime: Infinity, enabled: isRead }).data
