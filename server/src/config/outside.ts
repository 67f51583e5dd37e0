import * as parse from './parsers.ts'
import { section, setting } from './setting.ts'

/** These settings say which addresses chosen by other people the service may call. */
export const outside = section('Addresses that others choose', {
  pushHosts: setting(
    'PUSH_HOSTS=fcm.googleapis.com,android.googleapis.com,jmt17.google.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com',
    'push services that browsers may name; `*.` stands for any host below',
    parse.list,
  ),
  privateFetchHosts: setting(
    'PRIVATE_FETCH_HOSTS=',
    'hosts, with a port unless it is the usual one, from which the service may read metadata and pictures of tokens on a private network and without TLS: any contract may have it GET any path of them',
    parse.list,
  ),
  privatePushHosts: setting(
    'PRIVATE_PUSH_HOSTS=',
    'hosts, as in `PRIVATE_FETCH_HOSTS`, that may be push services beside `PUSH_HOSTS`: any wallet may have the service POST encrypted bytes to any path of them',
    parse.list,
  ),
  privateWebhookHosts: setting(
    'PRIVATE_WEBHOOK_HOSTS=',
    'hosts, as in `PRIVATE_FETCH_HOSTS`, that webhooks may name: **any wallet may then have the service POST to any path and query of them**, from within your network. None by default',
    parse.list,
  ),
})
