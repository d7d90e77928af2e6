const filter = document.getElementById('filter')
const rows = [...document.querySelectorAll('.operations > li, #filter ~ .entries > [id]')]
if (filter && rows.length > 0) {
  filter.hidden = false
  const sought = document.getElementById('sought')
  const folds = [...document.querySelectorAll('main > details')]
  filter.addEventListener('submit', (event) => event.preventDefault())
  sought.addEventListener('input', () => {
    const words = sought.value.toLowerCase().split(/\s+/).filter(Boolean)
    let found = 0
    for (const row of rows) {
      const text = row.textContent.toLowerCase()
      row.hidden = !words.every((word) => text.includes(word))
      if (!row.hidden) found++
    }
    for (const fold of folds) {
      const own = [...fold.querySelectorAll('.operations > li')]
      if (own.length === 0) continue
      fold.hidden = own.every((row) => row.hidden)
      fold.open = words.length > 0
    }
    document.getElementById('found').textContent = words.length === 0 ? '' : `${found} found`
  })
}
if (navigator.clipboard) {
  for (const button of document.querySelectorAll('.copy')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.closest('figure').querySelector('code').textContent)
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 2000)
    })
  }
}
