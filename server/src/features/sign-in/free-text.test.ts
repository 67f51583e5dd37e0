import { expect, test } from 'vitest'
import { checkMessage, signInMessage } from './message.ts'
import { issueNonce } from './nonce.ts'

const config = {
  allowedDomains: ['chat.example', 'Chat.example:8443'],
  jwtSecret: 'a secret of thirty-two bytes or so',
  publicUrl: 'https://chat.example',
  signinRequireSiwe: false,
  embedOrigins: [],
}
const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const now = new Date('2026-11-20T18:30:00.123Z')
const { nonce, expires_at } = issueNonce(config.jwtSecret, address, now)
const message = signInMessage(config, { address, nonce, expiresAt: expires_at }, now)

const check = (text: string, more: Partial<typeof config> = {}) =>
  checkMessage({ ...config, ...more }, { address, text }, now)

const here = `Sign in to chat.example. Nonce: ${nonce}`

test('the nonce alone holds', () => {
  expect(check(nonce)).toEqual({ nonce, nonceExpiresAt: new Date(expires_at) })
  expect(check(nonce, { signinRequireSiwe: true })).toBeNull()
  for (const text of [
    '',
    ` ${nonce}`,
    `${nonce}\n`,
    `${nonce} ${nonce}`,
    nonce.toUpperCase(),
    nonce.slice(1),
  ])
    expect(check(text), text).toBeNull()
})

test.each([
  here,
  `chat.example ${nonce}`,
  `Sign in to https://chat.example/ with ${nonce}`,
  `Sign in to CHAT.example:8443 (${nonce})`,
  `„früher“ (chat.example)\nNonce:\n${nonce}…`,
  `gm! ❤️ chat.example, ${nonce}`,
  `chat.example: ${nonce} at ${now.toISOString()} for ${address}`,
  `chat.example at 18:30, Wallet:${address.toUpperCase()} Nonce:${nonce}`,
  `Вход на chat.example, код ${nonce}.`,
  `登录 chat.example。 随机数：${nonce}`,
  `ノンス: ${nonce}、 サイト: chat.example`,
  `تسجيل الدخول إلى chat.example في ٢٠٢٦: ${nonce}`,
])('%s', (text) => {
  expect(check(text)).toEqual({ nonce, nonceExpiresAt: new Date(expires_at) })
  expect(check(text, { signinRequireSiwe: true })).toBeNull()
})

test.each([
  ['names no host', `Verify your wallet. Ref ${nonce}`],
  ['names another host', `evil.test: verify your wallet to claim 500 USDC. Ref ${nonce}`],
  ['names another host besides', `${here} for evil.test`],
  ['names it behind ours', `chat.example.evil.test ${nonce}`],
  ['names it before ours', `evil-chat.example ${nonce}`],
  ['names it as a user', `chat.example@evil.test ${nonce}`],
  ['has a user in front', `https://evil@chat.example ${nonce}`],
  ['has a path', `https://chat.example/redirect?to=x ${nonce}`],
  ['has another scheme', `evil://chat.example ${nonce}`],
  ['has another port', `chat.example:444 ${nonce}`],
  ['has our host inside a word', `notchat.example ${nonce}`],
  ['has our host in look-alike letters', `сhat.example ${nonce}`],
  ['has our host in full-width letters', `ｃｈａｔ.example ${nonce}`],
  ['names a URL', `${here} https://evil/claim`],
  ['names a URL without a scheme', `${here} //evil/claim`],
  ['names an IPv4 address', `${here} 203.0.113.9`],
  ['names a short IPv4 address', `${here} 203.9`],
  ['names an IPv6 address', `${here} ::1`],
  ['names an IPv6 address in brackets', `${here} [2001:db8::1]`],
  ['names a port', `${here} localhost:8081`],
  ['names punycode', `${here} xn--evil-9za`],
  ['names a host of other letters', `${here} зло.рф`],
  ['names a host in full-width letters', `${here} ｅｖｉｌ．ｔｅｓｔ`],
  ['has a full-width dot', `${here} evil．test`],
  ['has an ideographic dot', `${here} evil。test`],
  ['has a leader dot', `${here} evil․test`],
  ['has a middle dot', `${here} evil·test`],
  ['has a Lisu dot', `${here} evilꓸtest`],
  ['has an Arabic dot', `${here} evil٠test`],
  ['has an invisible letter in a host', `${here} evil\u200b.test`],
  ['has an invisible letter after a dot', `${here} evil.\u2060test`],
  ['turns its direction', `${here} \u202etset.live`],
  ['has a soft hyphen', `${here} e\u00advil`],
  ['has tags', `${here} \u{e0065}`],
  ['has a full-width slash', `${here} evil／claim`],
  ['has a division slash', `${here} evil∕claim`],
  ['has a backslash', `${here} evil\\claim`],
  ['has an escaped dot', `${here} evil%2etest`],
  ['names a mail address', `${here} evil＠test`],
  ['has its dot after the nonce', `${here}.evil.test`],
])('a text that %s is refused', (_, text) => expect(check(text), text).toBeNull())

test('the nonce is a word of its own', () => {
  for (const word of [`${nonce}0`, `a${nonce}`, `é${nonce}`, `_${nonce}`])
    expect(check(`chat.example ${word}`), word).toBeNull()
})

const alike = (text: string, from: string, to: string) =>
  text.replace(/[a-z]/g, (letter) => Array.from(to)[from.indexOf(letter)] ?? letter)
const cyrillic = (text: string) => alike(text, 'aceiopxyst', 'асеіорхуѕт')

test.each([
  ['in Cyrillic letters', cyrillic],
  ['in small capitals', (text: string) => alike(text, 'acdehinorstuwy', 'ᴀᴄᴅᴇʜɪɴᴏʀꜱᴛᴜᴡʏ')],
  ['in full-width letters', (text: string) => alike(text, 'acehinorstuwy', 'ａｃｅｈｉｎｏｒｓｔｕｗｙ')],
  ['in letters of mathematics', (text: string) => alike(text, 'aeinostu', '𝐚𝐞𝐢𝐧𝐨𝐬𝐭𝐮')],
  ['in letters of squares', (text: string) => alike(text.toLowerCase(), 'aeinostu', '🅰🅴🅸🅽🅾🆂🆃🆄')],
  ['in capitals', (text: string) => text.toUpperCase()],
  ['with digits', (text: string) => alike(text, 'io', '10')],
  ['with two letters for one', (text: string) => text.replaceAll('w', 'vv').replaceAll('m', 'rn')],
  ['with invisible letters', (text: string) => text.replaceAll('t', 't\u200b')],
  ['with marks', (text: string) => text.replaceAll('t', 't\u0332')],
  ['with dots between', (text: string) => text.split('').join('.')],
])('EIP-4361 %s is EIP-4361, and refused', (_, change) => {
  // The texts have all of it, its heading alone, its labels alone: each beside a good nonce and this service's host.
  const [heading, labels] = ['wants you to sign in with your Ethereum account:', /^[A-Z][A-Za-z ]+:/gm]
  const end = `\nchat.example ${nonce}`
  for (const text of [
    change(message) + end,
    change(heading) + end,
    message.replace(heading, '').replace(labels, (label) => change(label)) + end,
    message.replace(heading, '').replace(labels, (label) => label.replace(':', '：')) + end,
  ])
    expect(check(text), text).toBeNull()
})

test('the text for wallets of other chains holds', () => {
  const tezos = 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb'
  const issued = issueNonce(config.jwtSecret, tezos, now)
  const text = signInMessage(
    config,
    { address: tezos, nonce: issued.nonce, expiresAt: issued.expires_at },
    now,
  )
  expect(checkMessage(config, { address: tezos, text }, now)).toMatchObject({ nonce: issued.nonce })
})

test('a hostile text is checked in no time', () => {
  const started = performance.now()
  for (const piece of [
    'chat.example',
    'chat.example ',
    '.',
    '(',
    '1:00 ',
    ':',
    `${nonce} `,
    'https://',
    '٠a',
  ])
    check(`${here} ${piece.repeat(Math.ceil(16_000 / piece.length))}`)
  expect(performance.now() - started).toBeLessThan(1000)
})
