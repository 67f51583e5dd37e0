// These settings say where data is stored, and for how long.

import * as parse from './parsers.ts'
import { section, setting } from './setting.ts'

export const data = section('Data', {
  dataDir: setting(
    'DATA_DIR=./data',
    'directory of the embedded database, the generated secret, files and pictures',
    parse.text,
  ),
  s3Url: setting(
    'S3_URL=',
    'a bucket of an S3-compatible service for files and pictures, instead of `DATA_DIR/files`: `https://KEY:SECRET@host/bucket?region=eu-central-1` ([how](files.md#a-bucket))',
    parse.optional(parse.s3),
  ),
  clamdUrl: setting(
    'CLAMD_URL=',
    'clamd of ClamAV, such as `tcp://127.0.0.1:3310`, that scans files which are not encrypted ([how](files.md#a-scanner)); no scanner when empty',
    parse.optional(parse.scanner),
  ),
  diskReserve: setting(
    'DISK_RESERVE=',
    'MiB of the disk of `DATA_DIR` that the embedded database leaves free: with less, writes are 503; 500 or 5 % of the disk, whichever is less, when empty',
    parse.optional(parse.whole(0, 1_000_000_000)),
  ),
  databaseUrl: setting(
    'DATABASE_URL=',
    'PostgreSQL 15 or later, instead of the embedded one; [with several hosts](operations.md#a-database-that-fails-over) the one that takes writes',
    parse.optional(parse.database),
  ),
  readDatabaseUrl: setting(
    'READ_DATABASE_URL=',
    'a hot standby of `DATABASE_URL`, from which live events, exports and long lists are read ([how](operations.md#reads-from-a-standby)); none when empty',
    parse.optional(parse.url('postgres:', 'postgresql:')),
  ),
  databasePoolSize: setting('DATABASE_POOL_SIZE=16', 'database connections at most', parse.whole(2, 1000)),
  databaseQueue: setting(
    'DATABASE_QUEUE=10000',
    'requests that may wait for a database connection at once; more are 503',
    parse.whole(0, 1_000_000),
  ),
  retentionDays: setting(
    'RETENTION_DAYS=0',
    'days after which direct messages and messages of chats are deleted; `0` for never ([what is deleted](moderation.md#retention))',
    parse.whole(0, 36_500),
  ),
  search: setting(
    'SEARCH=on',
    '`off` for a service without [search](search.md#for-operators)',
    parse.either('on', 'off'),
  ),
  allowUnsafeDb: setting(
    'ALLOW_UNSAFE_DB=false',
    '`true` to start on a database with `fsync`, `full_page_writes` or `synchronous_commit` off',
    parse.either('true', 'false'),
  ),
})
