import { expect, test } from 'vitest'
import { claimsIn, claimsTeam, nameOfHost } from './index.ts'

const service = { host: 'chat.night-market.example', words: ['Stallholders desk'], labels: ['Treasury'] }

test.each([
  'Support',
  'S u p p o r t',
  's.u.p.p.o.r.t',
  'supp0rt',
  '$upport',
  '5upport24',
  'ЅUРРОRТ',
  'ѕuрроrt tеаm',
  '𝕊𝕦𝕡𝕡𝕠𝕣𝕥',
  'ＳＵＰＰＯＲＴ',
  '🅂🅄🄿🄿🄾🅁🅃',
  'śùppört',
  'Sup\u200bport',
  'WalletSupport',
  'officiaI',
  '0fficial news',
  '@dmin',
  'ADM1N',
  'rnoderator',
  'Help-Desk',
  'helpdesk_7',
  'Security Team',
  'The Team',
  'Night Market',
  'nightmarket',
  'NIGHT-MARKET help',
  'Treasury',
  'Trеasury 2',
  'stall-holders desk',
  'Поддержка',
  'Служба поддержки',
  '官方客服',
  'サポート係',
  '고객센터',
  'فريق الدعم',
  'सहायता केंद्र',
  'Soporte',
  'Kundendienst',
])('%s claims to be of the team', (name) => expect(claimsTeam(name, service)).toBe(true))

test.each([
  'Mira',
  'Tom Teamer',
  'Steamboat Willie',
  'Supporter of cats',
  'Modest Mouse',
  'Adminton',
  'Nightingale',
  'Дмитрий',
  'Μιχάλης',
  '李雷',
  'ジョン・スミス',
  '김민준',
  'محمد علي',
  'अमित',
  'Nguyễn Văn Hỗ',
  '',
  '😀',
])('%s claims nothing', (name) => expect(claimsTeam(name, service)).toBe(false))

test.each([
  'Hello, this is Support. There is a problem with your account.',
  'I am an ＡＤＭＩＮ here',
  'Message from the оffiсiаl help desk',
  'Здравствуйте, это служба поддержки',
  '您好，我是官方客服',
  'お世話になります、公式サポートです',
  '안녕하세요 고객센터입니다',
  'مرحبا، معك فريق الدعم الفني',
  'Hola, soy del soporte de la bolsa',
  'write to the stallholders desk',
])('%s speaks for the team', (text) => expect(claimsIn(text, service).team).toBe(true))

test.each([
  'Please send me your seed phrase',
  'your SEED-PHRASE, please',
  'yоur rесоvеrу рhrаsе',
  'recoveryphrase',
  'Verify your wallet at once',
  'v e r i f y your wallet',
  'I need the 12 words',
  'your pr1vate key',
  'пришлите сид-фразу',
  'Подтвердите свой кошелёк',
  '请提供您的助记词',
  'リカバリーフレーズを教えて',
  '복구 구문을 입력하세요',
  'أرسل عبارة الاسترداد',
  'envíame tu frase de recuperación',
  'Wiederherstellungsphrase eingeben',
])('%s asks for what opens a wallet', (text) => expect(claimsIn(text, service).secrets).toBe(true))

test.each([
  'gm! I liked your tulips, are they still for sale?',
  'Our team plays on Sunday',
  'I have a private room and a key to it',
  'Two or three words about your stall?',
  'Привет, как дела?',
  '你好，花还在卖吗？',
])('%s is what strangers write', (text) =>
  expect(claimsIn(text, service)).toEqual({ team: false, secrets: false }),
)

test('a service is called by the name in its host', () => {
  expect(
    ['chat.night-market.example', 'parley.co.uk', 'night.market:8080', '127.0.0.1:3000', 'localhost'].map(
      nameOfHost,
    ),
  ).toEqual(['night-market', 'parley', 'night', undefined, undefined])
})

test('a text of the greatest length is read in a few milliseconds', () => {
  const text = 'ѕ u р р о r t\u0301 '.repeat(8_000)
  const begun = performance.now()
  claimsIn(text)
  expect(performance.now() - begun).toBeLessThan(500)
})
