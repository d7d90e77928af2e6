// Reads codes from photos and passes documents to the verifier. The form works without scripts.
{
  const MAX_PICTURE_BYTES = 40_000_000
  const MAX_DOCUMENT_BYTES = 3_145_728
  /** Max side of the decoded picture; phone photos are several times larger. */
  const MAX_SIDE = 1600
  const FORMATS = ['qr_code', 'data_matrix', 'ean_13', 'ean_8', 'upc_a', 'upc_e', 'itf']

  const say = (text) => {
    at('said').textContent = text
  }

  const readCode = async (picture) => {
    const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    const drawing = canvas.getContext('2d', { willReadFrequently: true })
    drawing.fillStyle = '#fff'
    drawing.fillRect(0, 0, canvas.width, canvas.height)
    drawing.drawImage(picture, 0, 0, canvas.width, canvas.height)
    if ('BarcodeDetector' in window) {
      const known = await window.BarcodeDetector.getSupportedFormats().catch(() => [])
      const formats = FORMATS.filter((format) => known.includes(format))
      if (formats.length > 0) {
        const [found] = await new window.BarcodeDetector({ formats }).detect(canvas)
        if (found !== undefined) return found.rawValue
      }
    }
    const { decodeQR } = await import('/code-reader/decode.js')
    try {
      return decodeQR(drawing.getImageData(0, 0, canvas.width, canvas.height), { effort: 4, timeLimit: 3000 })
    } catch {
      return undefined
    }
  }

  const hand = async (file) => {
    if (texts.verifier === undefined || file.size > MAX_DOCUMENT_BYTES) return say(texts.noPicture)
    const text = await file.text()
    if (!/^\s{0,99}(?:\ufeff)?[{e]/.test(text)) return say(texts.noPicture)
    try {
      sessionStorage.setItem('document', text)
    } catch {
      return say(texts.noPicture)
    }
    location.assign(texts.verifier)
  }

  const take = async (file) => {
    if (file === undefined) return
    say(texts.reading)
    const picture = file.size > MAX_PICTURE_BYTES ? undefined : await createImageBitmap(file).catch(() => undefined)
    if (picture === undefined) return hand(file)
    const text = await readCode(picture).catch(() => undefined)
    picture.close()
    if (text === undefined || text === '') return say(texts.noCode)
    say(text)
    at('q').value = text
    at('find').requestSubmit()
  }

  at('photo').hidden = false
  at('file').addEventListener('change', ({ target }) => take(target.files[0]))
  whenDropped(take)
}
