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
