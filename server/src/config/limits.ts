import * as parse from './parsers.ts'
import { section, setting } from './setting.ts'

/** These settings limit what people may do. */
export const limits = section('Limits', {
  rateLimits: setting(
    'RATE_LIMITS=on',
    '`off` to count neither requests, failed sign-ins, quotas of a day nor what a network address has open',
    parse.either('on', 'off'),
  ),
  readLimit: setting(
    'LIMIT_READS=300,50',
    'reads of a wallet, or of a network address without sign-in',
    parse.rate,
  ),
  pictureReadLimit: setting(
    'LIMIT_PICTURE_READS=600,50',
    'pictures of wallets, chats and tokens that a wallet reads, beside its other reads',
    parse.rate,
  ),
  searchLimit: setting('LIMIT_SEARCHES=20,2', 'searches of a wallet, beside its other reads', parse.rate),
  writeLimit: setting(
    'LIMIT_WRITES=300,20',
    'writes of a wallet, or of a network address without sign-in',
    parse.rate,
  ),
  accountLimit: setting(
    'LIMIT_ACCOUNT=60,1',
    'bookmarks, names, pictures, communities and settings that a wallet writes',
    parse.rate,
  ),
  pictureBytes: setting(
    'LIMIT_PICTURE_BYTES=10240,128',
    'KiB of pictures, as they are sent, that a wallet stores',
    parse.rate,
  ),
  pictureBytesOfAddress: setting(
    'LIMIT_PICTURE_BYTES_OF_ADDRESS=16384,384',
    'the same for all wallets of one network address (of IPv6 a /48) together; `LIMIT_IP_FACTOR` does not change it',
    parse.rate,
  ),
  staticLimit: setting(
    'LIMIT_STATIC=2000,100',
    'health checks, the docs, files of the web client, and what is not found, for a network address',
    parse.rate,
  ),
  ipLimitFactor: setting(
    'LIMIT_IP_FACTOR=10',
    'all signed-in wallets of one network address together have this many times the limits of a wallet',
    parse.whole(1, 1_000_000),
  ),
  ipv6Factor: setting(
    'LIMIT_IPV6_FACTOR=16',
    'all networks of an IPv6 /48 together have this many times the limits of one (a /64)',
    parse.whole(1, 65_536),
  ),
  publicCountLimit: setting(
    'LIMIT_PUBLIC_COUNTS=30,1',
    'unread counts of other wallets, and encrypted keys of passkeys, that a network address may read',
    parse.rate,
  ),
  publicReadLimit: setting(
    'LIMIT_PUBLIC_READS=60,3',
    '[public pages](public-pages.md), and comments of NFTs without a sign-in, that a network address may read',
    parse.rate,
  ),
  publicUnreadCounts: setting(
    'PUBLIC_UNREAD_COUNTS=true',
    '`false` to show the unread count of a chat to the wallet itself only',
    parse.either('true', 'false'),
  ),
  chainLimit: setting(
    'LIMIT_CHAIN=300,5',
    'lookups on chains of which NFT chats a wallet may read, by one instance',
    parse.rate,
  ),
  chainNamesLimit: setting(
    'LIMIT_CHAIN_NAMES=200,0.2',
    'names in ENS of other wallets that a wallet sees',
    parse.rate,
  ),
  chainNamesOfAll: setting(
    'LIMIT_CHAIN_NAMES_OF_ALL=1000,2',
    'the same for all wallets together ([how many calls](operations.md#limits) that is)',
    parse.rate,
  ),
  bytesLimit: setting(
    'LIMIT_BYTES=131072,8192',
    'KiB of responses to a wallet, or to a network address without sign-in',
    parse.rate,
  ),
  dmDefault: setting(
    'DM_DEFAULT=everyone',
    'from whom a wallet takes direct messages until it chooses: `everyone`, or `requests` ([the rule](people.md#strangers-write-to-everybody))',
    parse.oneOf('everyone', 'requests'),
  ),
  firstContacts: setting(
    'LIMIT_FIRST_CONTACTS=20,20',
    'strangers to whom a wallet may write first, of those that do not take messages of everyone: at once, an hour ([more or fewer](people.md#strangers-write-to-everybody))',
    parse.rate,
  ),
  requestsAtOnce: setting(
    'LIMIT_REQUESTS_AT_ONCE=8',
    'requests of a wallet, or of a network address without sign-in, that are in progress at once; more wait',
    parse.whole(1, 1_000_000),
  ),
  streamsOfWallet: setting(
    'LIMIT_STREAMS_OF_WALLET=20',
    'event streams that a wallet may have open at once on an instance',
    parse.whole(1, 1_000_000),
  ),
  streamsOfAddress: setting(
    'LIMIT_STREAMS_OF_ADDRESS=500',
    'event streams that all wallets of one network address may have open at once on an instance',
    parse.whole(1, 1_000_000),
  ),
  uploadsAtOnce: setting(
    'LIMIT_UPLOADS_AT_ONCE=2',
    'requests of a wallet with more than 16 KiB that are received and stored at once on an instance; more wait. All wallets of a network address (of IPv6 a /48) have four times this',
    parse.whole(1, 1000),
  ),
  pictureSeconds: setting(
    'PICTURE_SECONDS=2',
    'seconds in which a picture must be decoded, or it is refused',
    parse.whole(1, 60),
  ),
  failedSignIns: setting(
    'LIMIT_FAILED_SIGN_INS=10',
    'failed sign-ins for one wallet from one network address in 15 minutes',
    parse.whole(1, 1000),
  ),
  mailsOfWallet: setting(
    'LIMIT_MAILS_OF_WALLET=3',
    'confirmation mails that a wallet may cause in an hour',
    parse.whole(1, 1000),
  ),
  mailsToAddress: setting(
    'LIMIT_MAILS_TO_ADDRESS=5',
    'confirmation mails that a mailbox may get in a day, however its address is written',
    parse.whole(1, 1000),
  ),
  mailsOfNetwork: setting(
    'LIMIT_MAILS_OF_NETWORK=30',
    'confirmation mails that all wallets of one network address may cause in an hour',
    parse.whole(1, 10_000),
  ),
  confirmationMails: setting(
    'LIMIT_CONFIRMATION_MAILS=1000',
    'confirmation mails of the whole service in an hour of the clock; more are refused',
    parse.whole(1, 10_000_000),
  ),
  messageMails: setting(
    'LIMIT_MESSAGE_MAILS=10',
    'mails about messages that a wallet may get in a day; what comes later is in the next one',
    parse.whole(1, 288),
  ),
  notificationMails: setting(
    'LIMIT_NOTIFICATION_MAILS=10000',
    'mails about messages and daily summaries of the whole service in an hour of the clock; more wait',
    parse.whole(1, 10_000_000),
  ),
})
