import type { Db } from '../../db/pool.ts'
import { keyOf, ofAddress, ofWallet } from '../../db/own-rows.ts'
import type { Tables } from '../../feature.ts'
import { deleteChainName } from './chain-names-store.ts'

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
        'name.jsonl': `select json_strip_nulls(json_build_object('id', id, 'address', $2::text, 'name', name, 'domain', domain,
            'signupsite', signupsite))::text as item
          from (
            select id, value::json->>'name' as name, value::json->>'domain' as domain, value::json->>'signupsite' as signupsite, 1 as place
              from unseen_changes where ${ofWallet} and kind = 'name'
            union all select id, name, domain, signupsite, 2 from names where ${ofAddress}
            order by place limit 1
          ) seen`,
      },
    },
    erased: 'with the profile',
    ends: 'erasure',
    access: 'public',
  },
  chain_names: {
    exported: 'public facts of the chain',
    erased: deleteChainName,
    // A name lasts a day, and the row another one.
    ends: { column: 'again_ms', days: 1 },
    access: 'public facts',
  },
  name_skeletons: {
    exported: 'made from names',
    erased: 'with the profile',
    ends: 'erasure',
    access: 'public',
  },
}
