// Somebody gives these addresses to get into the network of the service: each is refused before its name is resolved and before
// any connection, with a reason.

import { expect, test } from 'vitest'
import { callOutside, type Network } from './call.ts'

const noUrl = 'it is no URL'
const noHttps = 'it is not https'
const user = 'it holds a user name or password'
const port = 'its port is no port of a web server'
const inside = 'its host is not on the public internet'
const noName = 'its host is no name'
const privateName = 'its host is a name of a private network'

const hostile: [what: string, address: string, reason: string][] = [
  ['loopback', 'https://127.0.0.1/', inside],
  ['loopback, not the first', 'https://127.8.9.10/', inside],
  ['loopback in two parts', 'https://127.1/', inside],
  ['loopback in three parts', 'https://127.0.1/', inside],
  ['loopback as a number', 'https://2130706433/', inside],
  ['loopback as a number with a dot', 'https://2130706433./', inside],
  ['loopback in hexadecimal', 'https://0x7f000001/', inside],
  ['loopback in capital hexadecimal', 'https://0X7F.0.0.1/', inside],
  ['loopback in hexadecimal, in two parts', 'https://0x7f.1/', inside],
  ['loopback in octal', 'https://0177.0.0.1/', inside],
  ['loopback in octal with many zeros', 'https://00000177.0.0.1/', inside],
  ['loopback as one octal number', 'https://017700000001/', inside],
  ['loopback in mixed notations', 'https://0x7f.0.0.01/', inside],
  ['loopback with a dot behind it', 'https://127.0.0.1./', inside],
  ['loopback in wide digits', 'https://１２７.0.0.1/', inside],
  ['loopback in circled digits', 'https://①②⑦.0.0.1/', inside],
  ['loopback with ideographic full stops', 'https://127。0。0。1/', inside],
  ['loopback with half-width full stops', 'https://127｡0｡0｡1/', inside],
  ['loopback with encoded digits', 'https://%31%32%37.0.0.1/', inside],
  ['loopback without slashes', 'https:127.0.0.1', inside],
  ['loopback behind three slashes', 'https:///127.0.0.1/', inside],
  ['loopback behind backslashes', 'https:\\\\127.0.0.1\\', inside],
  ['loopback with a tab in it', 'https://127.0\t.0.1/', inside],
  ['loopback before a number sign', 'https://127.0.0.1#@example.org/', inside],
  ['loopback before a question mark', 'https://127.0.0.1?@example.org/', inside],
  ['loopback behind an empty user', 'https://@127.0.0.1/', inside],
  ['this host', 'https://0.0.0.0/', inside],
  ['this host in short', 'https://0/', inside],
  ['this network', 'https://0.1.2.3/', inside],
  ['10/8', 'https://10.0.0.1/', inside],
  ['10/8 as a number', 'https://167772161/', inside],
  ['172.16/12', 'https://172.31.255.254/', inside],
  ['192.168/16', 'https://192.168.0.1/', inside],
  ['192.168/16 in octal', 'https://0300.0250.1.1/', inside],
  ['behind the NAT of a provider', 'https://100.64.0.1/', inside],
  ['metadata of clouds', 'https://169.254.169.254/latest/meta-data/', inside],
  ['metadata of clouds as a number', 'https://2852039166/', inside],
  ['metadata of clouds in hexadecimal', 'https://0xa9fea9fe/', inside],
  ['metadata of containers', 'https://169.254.170.2/v2/credentials', inside],
  ['metadata of Alibaba', 'https://100.100.100.200/', inside],
  ['metadata of Oracle', 'https://192.0.0.192/', inside],
  ['benchmarks', 'https://198.18.0.1/', inside],
  ['documentation', 'https://192.0.2.1/', inside],
  ['multicast', 'https://224.0.0.1/', inside],
  ['broadcast', 'https://255.255.255.255/', inside],
  ['broadcast as a number', 'https://4294967295/', inside],
  ['IPv6: loopback', 'https://[::1]/', inside],
  ['IPv6: loopback in full', 'https://[0000:0000:0000:0000:0000:0000:0000:0001]/', inside],
  ['IPv6: unspecified', 'https://[::]/', inside],
  ['IPv6: IPv4, dotted', 'https://[::ffff:127.0.0.1]/', inside],
  ['IPv6: IPv4 in hexadecimal', 'https://[::ffff:7f00:1]/', inside],
  ['IPv6: IPv4 in full', 'https://[0:0:0:0:0:ffff:7f00:0001]/', inside],
  ['IPv6: IPv4 of a public address', 'https://[::ffff:1.1.1.1]/', inside],
  ['IPv6: IPv4 in the old form', 'https://[::127.0.0.1]/', inside],
  ['IPv6: translated', 'https://[::ffff:0:127.0.0.1]/', inside],
  ['IPv6: NAT64', 'https://[64:ff9b::127.0.0.1]/', inside],
  ['IPv6: NAT64 in hexadecimal', 'https://[64:ff9b::a9fe:a9fe]/', inside],
  ['IPv6: NAT64 of a site', 'https://[64:ff9b:1::10.0.0.1]/', inside],
  ['IPv6: 6to4', 'https://[2002:7f00:1::]/', inside],
  ['IPv6: Teredo', 'https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/', inside],
  ['IPv6: link-local', 'https://[fe80::1]/', inside],
  ['IPv6: link-local with a zone', 'https://[fe80::1%eth0]/', noUrl],
  ['IPv6: link-local with an encoded zone', 'https://[fe80::1%25eth0]/', noUrl],
  ['IPv6: unique local', 'https://[fc00::1]/', inside],
  ['IPv6: metadata of a cloud', 'https://[fd00:ec2::254]/', inside],
  ['IPv6: site-local', 'https://[fec0::1]/', inside],
  ['IPv6: multicast', 'https://[ff02::1]/', inside],
  ['IPv6: documentation', 'https://[2001:db8::1]/', inside],
  ['IPv6: not closed', 'https://[::1/', noUrl],
  ['IPv6: a number', 'https://[2130706433]/', noUrl],
  ['a number that is too large', 'https://4294967296/', noUrl],
  ['a part that is too large', 'https://256.0.0.1/', noUrl],
  ['five parts', 'https://1.2.3.4.5/', noUrl],
  ['localhost', 'https://localhost/', privateName],
  ['localhost in capitals', 'https://LOCALHOST/', privateName],
  ['localhost with a dot', 'https://localhost./', privateName],
  ['below localhost', 'https://app.localhost/', privateName],
  ['below localhost, with a dot', 'https://a.b.localhost./', privateName],
  ['localhost in wide letters', 'https://ｌｏｃａｌｈｏｓｔ/', privateName],
  ['localhost in circled letters', 'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', privateName],
  ['localhost with a soft hyphen', 'https://local\u00adhost/', privateName],
  ['localhost, encoded', 'https://%6cocalhost/', privateName],
  ['localhost.localdomain', 'https://localhost.localdomain/', privateName],
  ['one word', 'https://intranet/', privateName],
  ['one word in punycode', 'https://xn--mnchen-3ya/', privateName],
  ['metadata of Google', 'https://metadata.google.internal/computeMetadata/v1/', privateName],
  ['a name of a cluster', 'https://kubernetes.default.svc.cluster.local/', privateName],
  ['a printer', 'https://printer.local/', privateName],
  ['a router', 'https://router.home.arpa/', privateName],
  ['an onion', 'https://expyuzz4wqqyqhjn.onion/', privateName],
  ['a user', 'https://user@example.org/', user],
  ['a password', 'https://user:password@example.org/', user],
  ['a password without a user', 'https://:password@example.org/', user],
  ['a host that looks like a user', 'https://example.org@127.0.0.1/', user],
  ['a host and port that look like a user', 'https://example.org:443@127.0.0.1/', user],
  ['http', 'http://example.org/', noHttps],
  ['http in capitals', 'HTTP://example.org/', noHttps],
  ['ftp', 'ftp://example.org/', noHttps],
  ['gopher', 'gopher://127.0.0.1:6379/_FLUSHALL', noHttps],
  ['a file', 'file:///etc/passwd', noHttps],
  ['data', 'data:text/plain,hello', noHttps],
  ['a script', 'javascript:alert(1)', noHttps],
  ['a blob', 'blob:https://127.0.0.1/x', noHttps],
  ['a web socket', 'wss://example.org/', noHttps],
  ['LDAP', 'ldap://127.0.0.1/', noHttps],
  ['a socket of this machine', 'unix:/var/run/docker.sock', noHttps],
  ['no scheme', '//127.0.0.1/', noUrl],
  ['only a host', 'example.org/x', noUrl],
  ['nothing', '', noUrl],
  ['a space in the host', 'https://a b.example/', noUrl],
  ['a zero byte in the host', 'https://127.0.0.1%00.example.org/', noUrl],
  ['port 0', 'https://example.org:0/', port],
  ['SSH', 'https://example.org:22/', port],
  ['mail', 'https://example.org:25/', port],
  ['plain http', 'https://example.org:80/', port],
  ['a port that is too large', 'https://example.org:65536/', noUrl],
  ['a port with letters', 'https://example.org:4a3/', noUrl],
  ['an empty label', 'https://a..example.org/', noName],
  ['an empty label in front', 'https://.example.org/', noName],
  ['two dots behind', 'https://example.org../', noName],
  ['a label of 64', `https://${'a'.repeat(64)}.org/`, noName],
  ['a host of 254', `https://${'abcde.'.repeat(42)}ab/`, noName],
  ['a host of thousands', `https://${'a.'.repeat(3000)}org/`, noName],
  ['an address of ten thousand', `https://example.org/${'a'.repeat(10_000)}`, 'it is too long'],
]

test('there are more than sixty, each once', () => {
  expect(hostile.length).toBeGreaterThan(60)
  expect(new Set(hostile.map(([, address]) => address)).size).toBe(hostile.length)
})

test.each(hostile)('%s is refused before anything is asked: %s', async (_, address, reason) => {
  const used: string[] = []
  const network: Network = {
    resolve: async (host) => {
      used.push(host)
      return ['93.184.216.34']
    },
    connect: () => {
      throw new Error(used.push('a connection').toString())
    },
  }
  const asking = { maxBytes: 1000, seconds: 5 }
  await expect(callOutside({ ownHosts: [] }, address, asking, network)).rejects.toThrow(new Error(reason))
  expect(used).toEqual([])
})

test.each([
  'https://example.org/',
  'https://example.org./',
  'https://EXAMPLE.org:443/',
  'https://example.org:8443/',
  'https://localhost.example.org/',
  'https://my-local.org/',
  'https://xn--mnchen-3ya.example/',
  `https://${'a'.repeat(63)}.org/`,
  'https://1.1.1.1/',
  'https://[2606:4700:4700::1111]/',
])('and %s gets as far as a connection', async (address) => {
  let connected = 0
  const network: Network = {
    resolve: async () => ['93.184.216.34'],
    connect: () => {
      connected++
      throw new Error('far enough')
    },
  }
  await expect(
    callOutside({ ownHosts: [] }, address, { maxBytes: 1000, seconds: 5 }, network),
  ).rejects.toThrow('it cannot be reached')
  expect(connected).toBe(1)
})
