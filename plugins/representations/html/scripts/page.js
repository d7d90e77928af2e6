Object.assign(globalThis, {
  at: (id) => document.getElementById(id),
  texts: JSON.parse(document.getElementById('texts').textContent),
  /** Passes files dropped on the page to `take`, with the drop target. */
  whenDropped(take) {
    const page = document.getElementById('content')
    page.addEventListener('dragover', (event) => {
      event.preventDefault()
      page.classList.add('over')
    })
    page.addEventListener('dragleave', () => page.classList.remove('over'))
    page.addEventListener('drop', (event) => {
      page.classList.remove('over')
      if (event.dataTransfer.files.length === 0) return
      event.preventDefault()
      take(event.dataTransfer.files[0], event.target)
    })
  },
})
