import { quotas } from '../../server/src/config/quotas.ts'

/** These settings lift only the limits that count requests and bytes by time. */
export const withoutCounting = {
  RATE_LIMITS: 'on',
  LIMIT_READS: '100000000,100000',
  LIMIT_PICTURE_READS: '100000000,100000',
  LIMIT_WRITES: '100000000,100000',
  LIMIT_ACCOUNT: '100000000,100000',
  LIMIT_PICTURE_BYTES: '100000000,100000',
  LIMIT_PICTURE_BYTES_OF_ADDRESS: '100000000,100000',
  LIMIT_STATIC: '100000000,100000',
  LIMIT_PUBLIC_COUNTS: '100000000,100000',
  LIMIT_BYTES: '100000000,100000',
  ...Object.fromEntries(Object.values(quotas).map(({ name }) => [name, '1000000'])),
  // This is a size.
  FILE_SIZE: '25',
}
