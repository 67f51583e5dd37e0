import type { Room } from '@parley/sdk/contract/rooms.ts'
import { Archive, Hash, Newspaper } from 'lucide-react'

export const iconOf = ({ kind, archived_at }: Room) =>
  archived_at ? <Archive /> : kind === 'news' ? <Newspaper /> : <Hash />
