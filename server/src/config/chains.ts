import * as parse from './parsers.ts'
import { section, setting } from './setting.ts'

export const chains = section('Chains, X and encryption', {
  rpcUrls: setting(
    'RPC_URLS={}',
    'JSON-RPC address by chain id, as JSON such as `{"1":"https://rpc.example.org"}`: for smart wallets, ownership and on-chain names',
    parse.rpcAddresses,
  ),
  nftMetadata: setting(
    'NFT_METADATA=true',
    '`false` to show no name and picture of tokens: the service then fetches nothing that contracts name',
    parse.either('true', 'false'),
  ),
  ipfsGateway: setting(
    'IPFS_GATEWAY=',
    'address of an IPFS gateway, such as `https://ipfs.io`, for names and pictures of tokens that are on IPFS; those have none when empty',
    parse.optional(parse.site),
  ),
  arweaveGateway: setting(
    'ARWEAVE_GATEWAY=',
    'address of an Arweave gateway, such as `https://arweave.net`, for names and pictures of tokens that are on Arweave; those have none when empty',
    parse.optional(parse.site),
  ),
  pushHosts: setting(
    'PUSH_HOSTS=fcm.googleapis.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com',
    'push services that browsers may name, with commas between; `*.` stands for any host below',
    parse.list,
  ),
  privateFetchHosts: setting(
    'PRIVATE_FETCH_HOSTS=',
    'hosts, with a port unless it is the usual one, that may be asked for metadata of tokens, or get pushes, on a private network and without TLS, with commas between; for tests and for machines of your own',
    parse.list,
  ),
  xBearerToken: setting(
    'X_BEARER_TOKEN=',
    "token of the X API, to show the posts of a community's account; no posts when empty",
    parse.optional(parse.token),
  ),
  xApiUrl: setting(
    'X_API_URL=https://api.x.com',
    'address of the X API, version 2',
    parse.url('http:', 'https:'),
  ),
  encryptionVendor: setting(
    'ENCRYPTION_VENDOR=x',
    'the segment `x` in the names of the encryption fields',
    parse.fieldSegment,
  ),
})
