import type { Db } from '../../db/pool.ts'
import { keyOf, ofAddress } from '../../db/own-rows.ts'
import type { Tables } from '../../feature.ts'

/** Deletes the row with the name, the picture and the policy of the wallet. */
const deleteProfile = (tx: Db, wallet: string) =>
  tx.query('select delete_profile_v1($1, $2) as deleted', keyOf(wallet))

export const tables: Tables = {
  profiles: {
    exported: {
      lines: {
        'dm_policy.jsonl': `select json_build_object('dm_policy', dm_policy)::text as item
          from profiles where address = $2 and dm_policy is not null`,
      },
    },
    erased: deleteProfile,
    ends: 'erasure',
    access: 'public',
  },
  names: {
    exported: {
      lines: {
        'name.jsonl': `select json_strip_nulls(json_build_object('id', id, 'address', address, 'name', name, 'domain', domain,
            'signupsite', signupsite))::text as item from names where ${ofAddress}`,
      },
    },
    erased: 'with the profile',
    ends: 'erasure',
    access: 'public',
  },
  name_skeletons: {
    exported: 'made from names',
    erased: 'with the profile',
    ends: 'erasure',
    access: 'public',
  },
}
