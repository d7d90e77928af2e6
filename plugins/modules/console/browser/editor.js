// Editor: keeps what is typed, and shows findings and completeness meanwhile.
const sent = (form, button) => {
  const body = new URLSearchParams(new FormData(form))
  body.set('do', button)
  return body
}
const showError = (control, text) => {
  const { id } = control
  let place = document.getElementById(`${id}-error`)
  if (place === null && (text === '' || control === document.activeElement)) return
  if (place === null) {
    place = document.createElement('p')
    place.id = `${id}-error`
    place.className = 'error'
    const box = control.closest('.field, .words, fieldset')
    box.insertBefore(place, box.querySelector(':scope > .typed') ?? box.firstElementChild?.nextElementSibling)
  }
  place.textContent = text
  place.parentElement.classList.toggle('wrong', text !== '')
  if (control.matches('fieldset')) return
  if (text === '') control.removeAttribute('aria-invalid')
  else control.setAttribute('aria-invalid', 'true')
  const others = (control.getAttribute('aria-describedby') ?? '').split(' ').filter((one) => one !== place.id)
  control.setAttribute('aria-describedby', [...others, place.id].join(' ').trim())
}
const checkNow = async (form) => {
  const answer = await fetch(form.action, { method: 'POST', body: sent(form, 'live') }).catch(() => undefined)
  const state = form.querySelector('[data-state]')
  if ([401, 403].includes(answer?.status)) state.textContent = state.dataset.ended
  if (answer?.ok !== true || answer.headers.get('content-type')?.startsWith('application/json') !== true) return
  const { errors, met, progress, sections } = await answer.json()
  const found = new Map(errors.map(({ field, message }) => [field, message]))
  for (const control of form.querySelectorAll('fieldset, input[id], select, textarea')) {
    showError(control, found.get(control.id.slice(2)) ?? '')
  }
  const meter = document.getElementById('complete')
  if (meter !== null && met !== undefined) {
    meter.value = met
    document.querySelector('[data-progress]').textContent = progress
  }
  for (const part of document.querySelectorAll('[data-section]')) {
    part.textContent = sections[part.dataset.section] ?? part.textContent
  }
  state.textContent = state.dataset.kept
}
let newest = 0
let last = Promise.resolve()
// One after the other: what was typed first must not be kept last.
const check = (form) => {
  newest += 1
  const own = newest
  last = last.then(() => (own === newest ? checkNow(form) : undefined)).catch(() => {})
}
let waiting
const later = (event) => {
  const form = event.target.closest('form[data-editor]')
  if (form === null) return
  clearTimeout(waiting)
  waiting = setTimeout(check, event.type === 'change' ? 0 : 700, form)
}
document.addEventListener('input', later)
document.addEventListener('change', later)
document.addEventListener('submit', () => clearTimeout(waiting))

// Lists: the form is replaced in place.
document.addEventListener('click', async (event) => {
  const button = event.target.closest('form[data-editor] button[name="do"]')
  if (button === null || !/^(add|remove|up|down) /.test(button.value)) return
  event.preventDefault()
  const { form } = button
  const answer = await fetch(form.action, { method: 'POST', body: sent(form, button.value) }).catch(() => undefined)
  const page = answer?.ok === true ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined
  const next = page?.querySelector('form[data-editor]')
  if (next === null || next === undefined) {
    form.requestSubmit(button)
    return
  }
  form.replaceWith(next)
  next.querySelector('[autofocus]')?.focus()
  check(next)
})

// Countries are suggested from the first time that one is typed.
document.addEventListener('focusin', async ({ target }) => {
  if (target.getAttribute('list') !== 'countries' || document.getElementById('countries') !== null) return
  const list = document.createElement('datalist')
  list.id = 'countries'
  document.body.append(list)
  const answer = await fetch('/console/countries').catch(() => undefined)
  if (answer?.ok === true) list.append(...(await answer.json()).map((name) => new Option(name)))
})

// Import: drop a file, and follow its progress.
for (const place of document.querySelectorAll('[data-drop]')) {
  const mark = (event) => {
    event.preventDefault()
    place.classList.toggle('over', event.type === 'dragover')
  }
  for (const type of ['dragover', 'dragleave', 'drop']) place.addEventListener(type, mark)
  place.addEventListener('drop', ({ dataTransfer }) => {
    if (dataTransfer.files.length === 1) place.querySelector('input').files = dataTransfer.files
  })
}
const progress = document.querySelector('[data-reload]')
if (progress !== null) setTimeout(() => location.reload(), Number(progress.dataset.reload) * 1000)
