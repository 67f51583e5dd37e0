import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Made, single, Text, Timestamp } from './fields.ts'
import { ChatNotifications, NotificationRules } from './notification-rules.ts'

/** The maximum number of browsers of a wallet that get pushes. */
export const mostPushSubscriptions = 10

const PushKey = Type.Object(
  { public_key: Text(128, 'the public key of the service (RFC 8292), base64url', { examples: ['BNcRd…'] }) },
  { $id: 'PushKey', description: 'The key by which a browser subscribes to pushes of this service' },
)

const NewPushSubscription = Type.Object(
  {
    endpoint: Text(2048, 'where its push service takes pushes for this browser', {
      minLength: 1,
      invisible: 'refused',
      examples: ['https://updates.push.services.mozilla.com/wpush/v2/gAAAA…'],
    }),
    p256dh: Type.String({
      pattern: '^[\\w-]{86,88}={0,2}$',
      description: 'its public key (P-256, uncompressed, base64url)',
      examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
    }),
    auth: Type.String({
      pattern: '^[\\w-]{21,24}={0,2}$',
      description: 'its secret (16 bytes, base64url)',
      examples: ['k8JV6sjdbhAi1n3_LDBLvA'],
    }),
    label: Type.Optional(
      Text(100, 'what the person calls it', { invisible: 'refused', examples: ['Firefox on my phone'] }),
    ),
    replaces: Type.Optional(
      Text(2048, 'the endpoint that this browser had before, where it has changed', {
        minLength: 1,
        invisible: 'refused',
        examples: ['https://updates.push.services.mozilla.com/wpush/v2/gAAAA…'],
      }),
    ),
  },
  { $id: 'NewPushSubscription', description: 'A browser that wants pushes, as its PushSubscription says' },
)

export const PushSubscription = Type.Object(
  {
    id: Made(64, 'its id', ['q1vJ3mT8cK0yWz5u']),
    host: Made(2048, 'the host of its push service', ['updates.push.services.mozilla.com']),
    label: Text(100, 'what the person calls it', { examples: ['Firefox on my phone'] }),
    created_at: Timestamp,
    answer: Type.Optional(
      Type.Integer({
        description: 'what the push service answered last: 201 is well, 0 is no answer',
        examples: [201],
      }),
    ),
    answered_at: Type.Optional(Timestamp),
  },
  { $id: 'PushSubscription', description: 'A browser that gets pushes' },
)
export type PushSubscription = Static<typeof PushSubscription>

const PushTest = Type.Object(
  {
    id: Made(64, 'of the browser', ['q1vJ3mT8cK0yWz5u']),
    host: Made(2048, 'the host of its push service', ['fcm.googleapis.com']),
    label: Text(100, 'what the person calls it', { examples: ['Chrome'] }),
    status: Type.Integer({ description: 'what the push service answered; 0 is no answer', examples: [201] }),
    detail: Made(1024, 'what that means', ['The push service has taken it.']),
  },
  { $id: 'PushTest', description: 'What became of a test push' },
)

// Spec gap: the interface notifies people of messages by mail alone.
export const notifications = endpoints({
  getNotificationRules: {
    method: 'GET',
    path: '/v1/notification_rules',
    summary: 'The notification rules of the caller',
    access: 'wallet',
    response: NotificationRules,
  },
  setNotificationRules: {
    method: 'PUT',
    path: '/v1/notification_rules',
    summary: 'Set the notification rules of the caller',
    description: 'Quiet hours hold for mails about messages too.',
    access: 'wallet',
    limit: 'account',
    needsRoom: false,
    body: NotificationRules,
    response: NotificationRules,
  },
  getChatNotifications: {
    method: 'GET',
    path: '/v1/chats/{nftaddr}/notifications',
    summary: 'Which posts of a chat notify the caller',
    description: '404 where the caller has not joined it.',
    access: 'wallet',
    response: ChatNotifications,
  },
  setChatNotifications: {
    method: 'PUT',
    path: '/v1/chats/{nftaddr}/notifications',
    summary: 'Choose which posts of a chat notify the caller',
    description:
      'Mentions are what holds for a chat until something is chosen; for nothing at all, mute it (PUT /v1/chats/{nftaddr}/mute). 404 where the caller has not joined it.',
    access: 'wallet',
    limit: 'account',
    needsRoom: false,
    body: ChatNotifications,
    response: ChatNotifications,
  },
  getPushKey: {
    method: 'GET',
    path: '/v1/push_key',
    summary: 'The key by which a browser subscribes to pushes',
    description: '503 where this service sends no pushes: `detail` says what its operator has to set.',
    access: 'public',
    limit: 'static',
    response: PushKey,
  },
  listPushSubscriptions: {
    method: 'GET',
    path: '/v1/push_subscriptions',
    summary: 'The browsers of the caller that get pushes',
    access: 'wallet',
    response: Type.Array(PushSubscription, { maxItems: mostPushSubscriptions }),
  },
  putPushSubscription: {
    method: 'PUT',
    path: '/v1/push_subscriptions',
    summary: 'Let a browser get pushes',
    description:
      'The same endpoint again replaces what is known of it; where it belonged to another wallet, it is the caller’s from now on. A browser whose endpoint has changed names the one before in `replaces`. A new browser takes a sign-in that is less than an hour old; one that gets pushes for the caller already takes any. A wallet has ten at most: with one more, the one that was added first goes.',
    access: 'wallet',
    grants: 'push_subscriptions',
    renews: true,
    limit: 'account',
    quotas: ['bytes'],
    body: NewPushSubscription,
    response: single(PushSubscription),
  },
  deletePushSubscription: {
    method: 'DELETE',
    path: '/v1/push_subscriptions/{session}',
    summary: 'Stop pushes to a browser',
    access: 'wallet',
    limit: 'account',
    changes: 0,
  },
  testPush: {
    method: 'POST',
    path: '/v1/push_test',
    summary: 'Send a test push to each browser of the caller',
    description: 'Answers what the push service of each said.',
    access: 'wallet',
    limit: 'account',
    needsRoom: false,
    response: Type.Array(PushTest, { maxItems: mostPushSubscriptions }),
  },
})
