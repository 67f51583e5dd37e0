import { CommunityInfo } from './communities.ts'
import { endpoints } from './endpoint.ts'
import { single } from './fields.ts'

export const ownership = endpoints({
  checkOwnership: {
    method: 'GET',
    path: '/v1/is_owner/{contract}/{wallet}',
    summary: 'Whether a wallet holds a token of an NFT contract',
    description:
      'One item when it holds at least one token, on any chain that the service is connected to; else an empty list. ' +
      'Works for ERC-721, ERC-1155, and older contracts that answer a balance. An answer may be a minute old. ' +
      '502 when a chain does not answer, 503 when the service is connected to no chain.',
    access: 'wallet',
    scope: 'public:read',
    response: single(CommunityInfo),
  },
})
