// These settings limit what a wallet, and all wallets of a network address, may store and create (limits/quotas.ts).

import * as parse from './parsers.ts'
import { section, setting } from './setting.ts'

export const quotas = section('Quotas', {
  storedADay: setting(
    'QUOTA_STORED=1024',
    'MiB of messages, posts, comments, pictures, settings and files that a wallet may store in a day',
    parse.whole(1, 1_000_000),
  ),
  picturesADay: setting(
    'QUOTA_PICTURES=256',
    'MiB of pictures, of those, that a wallet may store in a day, also when each replaces the one before',
    parse.whole(1, 1_000_000),
  ),
  strangersADay: setting(
    'QUOTA_STRANGERS=500',
    'conversations that a wallet may begin in a day; answers do not count',
    parse.whole(1, 1_000_000),
  ),
  commentsADay: setting(
    'QUOTA_COMMENTS=2000',
    'comments that a wallet may write in a day',
    parse.whole(1, 1_000_000),
  ),
  communitiesADay: setting(
    'QUOTA_COMMUNITIES_A_DAY=10',
    'communities that a wallet may create in a day',
    parse.whole(1, 1_000_000),
  ),
  reportsADay: setting(
    'QUOTA_REPORTS=20',
    'wallets and chats that a wallet may report in a day',
    parse.whole(1, 1_000_000),
  ),
  fileSize: setting(
    'FILE_SIZE=25',
    'MiB that a file of a message may have; `0` for no new files',
    parse.whole(0, 1024),
  ),
  filesADay: setting('QUOTA_FILES=100', 'files that a wallet may upload in a day', parse.whole(1, 1_000_000)),
  filesOfWallet: setting(
    'QUOTA_FILES_OF_WALLET=1024',
    'MiB that all files of a wallet may have together',
    parse.whole(1, 1_000_000),
  ),
  changesADay: setting(
    'QUOTA_CHANGES=50000',
    'changes that a wallet may make in a day besides messages and posts: marks, deletions, contacts, settings, joins, decisions as a moderator',
    parse.whole(1, 100_000_000),
  ),
  communitiesInAll: setting(
    'QUOTA_COMMUNITIES=20',
    'communities that a wallet may create in all',
    parse.whole(1, 1_000_000),
  ),
  bookmarksInAll: setting(
    'QUOTA_BOOKMARKS=2000',
    'chats that a wallet may have joined at once',
    parse.whole(1, 1_000_000),
  ),
  contactsInAll: setting(
    'QUOTA_CONTACTS=10000',
    'wallets without a message that a wallet may block, mute, name or decide about',
    parse.whole(1, 1_000_000),
  ),
  storedOfAddress: setting(
    'QUOTA_STORED_OF_ADDRESS=20480',
    'as `QUOTA_STORED`, for all wallets of one network address together; an IPv6 /48 has `LIMIT_IPV6_FACTOR` times that, as with the next seven',
    parse.whole(1, 100_000_000),
  ),
  picturesOfAddress: setting(
    'QUOTA_PICTURES_OF_ADDRESS=4096',
    'as `QUOTA_PICTURES`, for all wallets of one network address',
    parse.whole(1, 100_000_000),
  ),
  strangersOfAddress: setting(
    'QUOTA_STRANGERS_OF_ADDRESS=10000',
    'as `QUOTA_STRANGERS`, for all wallets of one network address',
    parse.whole(1, 100_000_000),
  ),
  commentsOfAddress: setting(
    'QUOTA_COMMENTS_OF_ADDRESS=40000',
    'as `QUOTA_COMMENTS`, for all wallets of one network address',
    parse.whole(1, 100_000_000),
  ),
  communitiesOfAddress: setting(
    'QUOTA_COMMUNITIES_OF_ADDRESS=200',
    'as `QUOTA_COMMUNITIES_A_DAY`, for all wallets of one network address',
    parse.whole(1, 100_000_000),
  ),
  reportsOfAddress: setting(
    'QUOTA_REPORTS_OF_ADDRESS=100',
    'as `QUOTA_REPORTS`, for all wallets of one network address',
    parse.whole(1, 100_000_000),
  ),
  filesOfAddress: setting(
    'QUOTA_FILES_OF_ADDRESS=2000',
    'as `QUOTA_FILES`, for all wallets of one network address',
    parse.whole(1, 100_000_000),
  ),
  changesOfAddress: setting(
    'QUOTA_CHANGES_OF_ADDRESS=1000000',
    'as `QUOTA_CHANGES`, for all wallets of one network address',
    parse.whole(1, 1_000_000_000),
  ),
})
