// Shows who owns each print, and puts a button below it that writes to the owner.

const { chain, contract } = document.querySelector('main').dataset
const service = new URL(document.querySelector('script[src$="/embed.js"]').src).origin

/** Returns the owner of a token, as the service finds it on the chain; undefined where there is no one owner. */
async function ownerOf(token) {
  const answer = await fetch(`${service}/v1/nft_owner/${contract}/${token}?chain=${chain}`)
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`)
  const [found] = await answer.json()
  return found
}

const short = (address) => `${address.slice(0, 6)}…${address.slice(-4)}`

/** Returns what a visitor reads about the owner, and what the button below it opens. */
function offerFor(found, nft) {
  const comment = { comments: nft, label: 'Comment on it' }
  if (!found) return ['Nobody is known as its owner.', comment]
  const { owner, is_contract: isContract, accepts } = found
  // Nobody may read what is written to a contract.
  if (isContract) return ['Listed with a market, which holds it.', comment]
  const name = `Owned by ${short(owner)}`
  if (accepts === 'contacts') return [`${name}, who takes messages from people they know.`, comment]
  return [name, { to: owner, nft, label: 'Message the owner', badge: '' }]
}

async function show(print) {
  const { token } = print.dataset
  const nft = `${chain}:${contract}:${token}`
  const [text, attributes] = await ownerOf(token).then(
    (found) => offerFor(found, nft),
    // The frame looks the owner up again when a visitor clicks.
    () => ['The owner can’t be looked up now.', { nft, label: 'Message the owner' }],
  )
  print.querySelector('.owner').textContent = text
  const chat = document.createElement('parley-chat')
  for (const [name, value] of Object.entries(attributes)) chat.setAttribute(name, value)
  print.append(chat)
}

for (const print of document.querySelectorAll('article')) void show(print)
