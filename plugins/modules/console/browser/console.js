// Comfort only: every page works without this script.

// Error summary and result of the last form.
document.querySelector('[data-focus]')?.focus()

// A form is sent once.
document.addEventListener('submit', (event) => {
  const form = event.target
  if (form.dataset.sent === 'yes') event.preventDefault()
  form.dataset.sent = 'yes'
})
window.addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent
})

// A button next to a secret copies it, where the browser allows it (Clipboard API: https or localhost).
for (const field of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = field.dataset.copy
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(field.value)
    button.textContent = field.dataset.copied
  })
  field.after(button)
}

// Help on `?`, outside fields.
document.addEventListener('keydown', (event) => {
  if (event.key !== '?' || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, select')) return
  document.getElementById('help')?.click()
})

// Passkeys (WebAuthn Level 3): the form carries the response of the authenticator.
const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
const toText = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

async function ask(kind, options) {
  const named = (list = []) => list.map((one) => ({ ...one, id: toBytes(one.id) }))
  const publicKey = { ...options, challenge: toBytes(options.challenge) }
  if (kind === 'get')
    return navigator.credentials.get({ publicKey: { ...publicKey, allowCredentials: named(options.allowCredentials) } })
  const user = { ...options.user, id: toBytes(options.user.id) }
  return navigator.credentials.create({
    publicKey: { ...publicKey, user, excludeCredentials: named(options.excludeCredentials) },
  })
}

function answered({ id, type, response, authenticatorAttachment }) {
  const sent = {}
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
    if (response[name]) sent[name] = toText(response[name])
  }
  if (response.getTransports) sent.transports = response.getTransports()
  return { id, rawId: id, type, response: sent, authenticatorAttachment, clientExtensionResults: {} }
}

for (const form of document.querySelectorAll('[data-passkey]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const failed = form.querySelector('[role=alert]')
    failed.hidden = true
    try {
      form.elements.response.value = JSON.stringify(
        answered(await ask(form.dataset.passkey, JSON.parse(form.dataset.options))),
      )
      form.submit()
    } catch {
      failed.textContent = form.dataset.failed
      failed.hidden = false
      delete form.dataset.sent
    }
  })
}
