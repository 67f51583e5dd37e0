import { useInfiniteQuery } from '@tanstack/react-query'
import { useModerators } from '../chat-moderation/roles.ts'
import { useAliases } from '../names/aliases.ts'
import { BotSign } from '../names/BotMark.tsx'
import { showProfile } from '../names/card.ts'
import { client, describeError } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { shortAddress } from '../ui/address.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'

const pageSize = 50

/** The wallets that have joined a chat, each with its card. */
export function Members({ nftaddr, count }: { nftaddr: string; count?: number }) {
  const me = useMe()
  const aliases = useAliases()
  const { data: moderators = [] } = useModerators(nftaddr)
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['listMembers', nftaddr],
    queryFn: ({ pageParam: after }) =>
      client.listMembers({ nftaddr, query: { limit: pageSize, ...(after && { after }) } }),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)!.walletaddr),
  })
  const members = data?.pages.flat() ?? []
  return (
    <Card title={count === undefined ? 'Members' : `Members · ${count}`}>
      {error && <p className="text-sm text-danger">{describeError(error)}</p>}
      {data && members.length === 0 && <p className="text-sm text-muted">Nobody has joined yet.</p>}
      <ul className="-mx-2 grid grid-cols-1 sm:grid-cols-2">
        {members.map(({ walletaddr, name: ownName, logo, is_bot }) => {
          const name = aliases.get(walletaddr) ?? ownName
          const role = moderators.find((one) => one.walletaddr === walletaddr)?.role
          return (
            <li key={walletaddr} className="min-w-0">
              <button
                type="button"
                onClick={() => showProfile(walletaddr)}
                className="flex min-h-12 w-full items-center gap-3 rounded-xl px-2 py-1.5 text-start -outline-offset-2 hover:bg-hover"
              >
                <Avatar seed={walletaddr} picture={logo} />
                <span className="grid min-w-0 leading-tight">
                  <span className="flex items-center gap-1.5">
                    <span className="truncate font-medium" dir="auto">
                      {name || shortAddress(walletaddr)}
                      {walletaddr === me && <span className="font-normal text-muted"> (you)</span>}
                    </span>
                    {is_bot && <BotSign />}
                  </span>
                  <span className="truncate text-xs text-muted empty:hidden">
                    {role && (role === 'owner' ? 'Owner ' : 'Moderator ')}
                    {name && <span className="font-address">{shortAddress(walletaddr)}</span>}
                  </span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  )
}
