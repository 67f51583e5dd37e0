// Reads where tables lie on a cluster: from server/cluster/distribute.sql, in which every statement is one line.

import { readFile } from 'node:fs/promises'
import path from 'node:path'

const folder = path.join(import.meta.dirname, '../../../cluster')

interface Statement {
  sql: string
  /** The statement moves this table. */
  table: string | undefined
}

export interface Places {
  /** This has the functions of a cluster. */
  ids: string
  /** Makes the table that only a cluster has: copies of conversations. */
  copies: string
  statements: Statement[]
  /** Its statements move these tables, in this order. */
  moved: string[]
  /** These tables stay as they are. */
  local: string[]
}

export async function readPlaces(): Promise<Places> {
  const [ids, tables, copies] = await Promise.all(
    ['ids.sql', 'distribute.sql', 'copies.sql'].map((file) => readFile(path.join(folder, file), 'utf8')),
  )
  const lines = tables!.split('\n')
  const statements = lines
    .filter((line) => line !== '' && !line.startsWith('--'))
    .map((sql) => ({ sql, table: tableOf.exec(sql)?.[1] }))
  return {
    ids: ids!,
    copies: copies!,
    statements,
    moved: statements.flatMap(({ table }) => table ?? []),
    local: lines.flatMap((line) =>
      line.startsWith(localMark) ? line.slice(localMark.length).split(', ') : [],
    ),
  }
}

const localMark = '-- local: '
const tableOf =
  /^select (?:create_distributed_table|create_reference_table|citus_add_local_table_to_metadata)\('(\w+)'/
