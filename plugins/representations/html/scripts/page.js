// What every page of the gateway with a script begins with; its own script stands behind it.
Object.assign(globalThis, {
  at: (id) => document.getElementById(id),
  texts: JSON.parse(document.getElementById('texts').textContent),
  /** Gives `take` a file that is dropped anywhere on the page, with what it was dropped on. */
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
