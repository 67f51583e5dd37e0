import * as parse from './parsers.ts'
import { section, setting } from './setting.ts'

/** These settings are for pages that anyone reads without signing in. */
export const publicPages = section('Public pages', {
  publicPages: setting(
    'PUBLIC_PAGES=on',
    '`off` so that no community can be [read by everybody](public-pages.md)',
    parse.either('on', 'off'),
  ),
  publicPagesNotice: setting(
    'PUBLIC_PAGES_NOTICE=300',
    'seconds during which members of a community see the notice that it is opened, before its page begins',
    parse.whole(0, 2_592_000),
  ),
})
