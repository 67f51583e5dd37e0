import { accountOf, canonicalAddress } from '@parley/sdk/accounts.ts'
import { parseQuery, type SearchQuery } from '@parley/sdk/search/query.ts'
import { Clock, Filter as FilterIcon, MessageCircle } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useFoundChats } from '../inbox/found.tsx'
import { useInbox } from '../inbox/rows.ts'
import { useAliases } from '../names/aliases.ts'
import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import type { Choosable } from '../ui/chooser.tsx'
import type { FoundMessage } from './found-message.ts'
import {
  completionsOf,
  type Filter,
  type Known,
  labelOf,
  pendingIn,
  searchFor,
  unknownIn,
} from './filters.ts'
import { useFound } from './found.ts'
import { wantMessage } from './going.ts'
import { HitBody } from './HitBody.tsx'
import { shownHit } from './shown-hits.ts'
import { keepSearch, recentSearches } from './recent.ts'
import { addFilter, typeSearch } from './searching.ts'

export interface SearchChoice extends Choosable {
  act: () => void
}

interface Options {
  me: string
  text: string
  /** This is the text once nobody has typed for a moment. */
  settled: string
  filters: Filter[]
  known: Known
}

/** So many people and communities are shown at first. */
const few = 3

const noWords: SearchQuery = { terms: [] }

/** Returns what can be chosen below the field: recent searches, endings of an operator, or what was found. */
export function useSearchChoices({ me, text, settled, filters, known }: Options) {
  const navigate = useNavigate()
  const { data: rows = [] } = useInbox()
  const aliases = useAliases()
  const pending = pendingIn(text)
  const parsed = useMemo(() => parseQuery(settled), [settled])
  const problem = 'problem' in parsed ? parsed.problem : undefined
  const words = 'problem' in parsed ? noWords : parsed
  const isSettled = text === settled && !pending && !problem
  const wanted = searchFor(settled, filters)
  const [asked, setAsked] = useState(wanted)
  const now = isSettled ? wanted : searchFor(text, filters) && asked
  if (JSON.stringify(now) !== JSON.stringify(asked)) setAsked(now)
  const found = useFound(asked)
  const places = usePlaces(filters.length === 0 && !pending ? text.trim() : '', (path) => void navigate(path))

  const openHit = (hit: FoundMessage, path: string) => {
    keepSearch(me, text)
    wantMessage({ path, id: hit.item.id, text: asked?.q ?? '' })
    void navigate(path)
  }
  const messages = (asked ? found.hits : []).map((hit): SearchChoice => {
    const shown = shownHit(hit.item, { me, rows, aliases })
    return {
      key: `message ${hit.item.id}`,
      label: shown.title,
      hint: '',
      group: 'Messages',
      icon: <Avatar seed={shown.seed} picture={shown.picture} square={shown.isChat} />,
      body: <HitBody {...{ hit, shown }} query={words} />,
      act: () => openHit(hit, shown.path),
    }
  })
  const isSearch = !pending && asked !== undefined
  const choices: SearchChoice[] = pending
    ? completionsOf(pending.kind, pending.typed, known).map((filter) => ({
        key: `filter ${labelOf(filter)}`,
        label: labelOf(filter),
        hint: 'address' in filter ? shortAddress(filter.address) : '',
        group: 'Only messages',
        icon: sign(<FilterIcon className="size-4" />),
        act: () => addFilter(filter, pending.before),
      }))
    : text === '' && filters.length === 0
      ? recentSearches(me).map((recent) => ({
          key: `recent ${recent}`,
          label: recent,
          hint: '',
          group: 'Recent searches',
          icon: sign(<Clock className="size-4" />),
          act: () => typeSearch(recent, known),
        }))
      : [...places, ...messages]
  const unknown = pending ? undefined : unknownIn(settled)
  return { choices, choose: ({ act }: SearchChoice) => act(), found, isSearch, problem, pending, unknown }
}

const none: SearchChoice[] = []

const sign = (icon: ReactNode) => (
  <span className="grid size-10 shrink-0 place-items-center text-muted" aria-hidden="true">
    {icon}
  </span>
)

/** Returns people and communities whose name or address has the text: three of each, and the others when asked. */
function usePlaces(text: string, open: (path: string) => void): SearchChoice[] {
  const [whole, setWhole] = useState('')
  const all = useFoundChats(text, { latest: 0, most: 50 })
  if (text === '') return []
  const shown = all.map((one) =>
    Object.assign({}, one, {
      group: one.to.startsWith('/dm/') ? 'People' : 'Communities',
      act: () => open(one.to),
    }),
  )
  const address = canonicalAddress(text)
  const isNew = accountOf(address) !== undefined && shown.every(({ to }) => to !== `/dm/${address}`)
  const stranger: SearchChoice[] = isNew
    ? [
        {
          key: `to ${address}`,
          label: `Message ${shortAddress(address)}`,
          hint: text,
          group: 'People',
          icon: sign(<MessageCircle className="size-5" />),
          // Its page checks the checksum.
          act: () => open(`/dm/${text}`),
        },
      ]
    : []
  return ['People', 'Communities'].flatMap((group) => {
    const some = (group === 'People' ? stranger : none).concat(shown.filter((one) => one.group === group))
    if (some.length <= few + 1 || whole === `${group} ${text}`) return some
    const more: SearchChoice = {
      key: `all ${group}`,
      label: `Show all ${some.length}`,
      hint: '',
      group,
      icon: sign(undefined),
      act: () => setWhole(`${group} ${text}`),
    }
    return some.slice(0, few).concat(more)
  })
}
