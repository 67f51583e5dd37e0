import * as parse from './parsers.ts'
import { section, setting } from './setting.ts'

export const chains = section('Chains, X and encryption', {
  rpcUrls: setting(
    'RPC_URLS={}',
    'JSON-RPC address by chain id, as JSON such as `{"1":"https://rpc.example.org"}`: for smart wallets, ownership and on-chain names',
    parse.rpcAddresses,
  ),
  chainNames: setting(
    'CHAIN_NAMES=true',
    '`false` to ask ENS for no names of wallets: otherwise [RPC nodes](operations.md#limits) learn whose wallets people here see',
    parse.either('true', 'false'),
  ),
  nftMetadata: setting(
    'NFT_METADATA=true',
    '`false` to show no name and picture of tokens: the service then fetches nothing that contracts name',
    parse.either('true', 'false'),
  ),
  ipfsGateway: setting(
    'IPFS_GATEWAY=',
    'address of an IPFS gateway, such as `https://ipfs.io`, for names and pictures of tokens; those on IPFS have none when empty',
    parse.optional(parse.site),
  ),
  arweaveGateway: setting(
    'ARWEAVE_GATEWAY=',
    'address of an Arweave gateway, such as `https://arweave.net`, for names and pictures of tokens; those on Arweave have none when empty',
    parse.optional(parse.site),
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
