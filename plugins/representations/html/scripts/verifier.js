{
  const element = (name, text, className = '') =>
    Object.assign(document.createElement(name), { textContent: text, className })
  const fill = (text, values) =>
    Object.entries(values).reduce((filled, [name, value]) => filled.replace(`{${name}}`, () => value), text)
  const isServed = location.protocol === 'https:' || location.protocol === 'http:'
  const MAX_SOUGHT = 2000
  const CA_PATH = '/.well-known/opendpp-seal-ca.pem'
  const LIST_PATH = '/.well-known/opendpp-seal-crl/'

  // If the browser lacks the page language, dates and codes are shown without words.
  const isKnown = Intl.DateTimeFormat.supportedLocalesOf(texts.formats).length > 0
  const dateOf = (time) => {
    const date = new Date(time)
    if (Number.isNaN(date.getTime())) return ''
    if (!isKnown) return date.toISOString().slice(0, 10)
    return new Intl.DateTimeFormat(texts.formats, { dateStyle: 'long', timeZone: 'UTC' }).format(date)
  }
  const countryOf = (code) => {
    try {
      return isKnown ? new Intl.DisplayNames(texts.lang, { type: 'region' }).of(code) : code
    } catch {
      return code
    }
  }

  /** Request counter, to discard outdated results. */
  let requestCount = 0
  /** True if document or certificate were just loaded from this server. */
  let isFromHere = false
  let isCaFromHere = false

  const PARTS = ['by', 'for', 'status', 'reason', 'next']
  /** Shows a verdict. `kind`: good, bad or open; `parts`: texts by element. */
  const say = (kind, verdict, parts = {}) => {
    at('outcome').className = kind
    at('outcome').hidden = kind === ''
    at('verdict').textContent = verdict
    for (const part of PARTS) at(part).textContent = parts[part] ?? ''
    at('status').className = parts.isAlarming ? 'alarm' : ''
    at('action').replaceChildren()
    at('checked').hidden = true
  }
  const forget = () => {
    requestCount += 1
    say('', '')
  }

  const MARKS = { true: ['✓', 'good'], false: ['✗', 'bad'], null: ['○', 'unknown'] }
  const showRows = (rows, facts, detail) => {
    at('rows').replaceChildren(
      ...rows.map(([name, ok]) => {
        const [mark, className] = MARKS[ok]
        const row = element('li', '', className)
        const shown = element('span', mark)
        shown.setAttribute('role', 'img')
        shown.setAttribute('aria-label', texts.mark[className])
        row.append(shown, element('span', texts.row[name]))
        return row
      }),
    )
    at('facts').replaceChildren(
      ...facts
        .filter(([, value]) => typeof value === 'string' && value !== '')
        .map(([label, value]) => {
          const fact = element('div', '')
          fact.append(element('dt', label), element('dd', value))
          return fact
        }),
    )
    at('detail').textContent = detail
    at('checked').hidden = false
  }

  const CLAUSES = {
    T: 'form',
    F: 'form',
    S: 'subject',
    M: 'content',
    P: 'content',
    R: 'content',
    G: 'signature',
    C: 'owner',
    L: 'revocation',
  }
  const STEPS = ['form', 'subject', 'content', 'signature', 'owner', 'revocation']

  const presentSeal = async (text, { verdict, reason, clause, altered, owner, document: passport }, ca, lists) => {
    const mine = requestCount
    const fingerprint = ca === undefined ? '' : await fingerprintOf(ca).catch(() => '')
    if (mine !== requestCount) return
    if (clause === 'CA') return say('open', texts.noCa, { reason: texts.noCaText })
    // Verification stops at this step: failed or undecided; later steps were not run.
    const ended = STEPS.indexOf(
      CLAUSES[clause] ?? (owner === undefined ? 'owner' : lists === undefined ? 'revocation' : ''),
    )
    const isWrong = verdict === 'not valid'
    const rows = STEPS.map((step, index) => [
      step,
      ended === -1 || index < ended ? true : isWrong && index === ended ? false : null,
    ])
    if (isWrong) {
      if (isUnsealed(text)) return say('open', texts.unsealed, { reason: texts.unsealedText })
      const wrong = { C: texts.brokenOwner, L: texts.brokenRevoked }
      const named = altered === undefined ? '' : `${fill(texts.altered, { name: altered })} `
      say('bad', texts.broken, { reason: named + (wrong[clause] ?? texts.brokenText) })
      const isOneValue = altered !== undefined && clause === 'F'
      const shown = isOneValue ? STEPS.map((step) => [step, step === 'content' ? false : null]) : rows
      return showRows(shown, caFacts(fingerprint), reason)
    }
    const { subject, rfc3161, redactedLeaves = {} } = passport.proof
    const name = passport.metadata.productName
    const product =
      typeof name === 'string' && name !== '' && !has(redactedLeaves, 'productName')
        ? `${name} (${subject.productId})`
        : subject.productId
    const parts = { for: fill(texts.for, { product }), ...statusParts(passport) }
    if (owner === undefined) say('open', texts.open, { ...parts, reason: texts.openText, next: texts.openNext })
    else if (verdict === 'undecided') say('open', texts.open, { ...parts, reason: texts.openRevoked })
    else {
      const signer = owner.country === undefined ? owner.name : `${owner.name}, ${countryOf(owner.country)}`
      say('good', fill(texts.unchanged, { date: dateOf(subject.created) }), {
        ...parts,
        by: fill(texts.by, { name: signer }),
        next: isCaFromHere ? texts.caFromHere : '',
      })
    }
    if (isFromHere) offer(texts.openPassport, `/passport/${encodeURIComponent(subject.id)}?lang=${texts.lang}`)
    const facts = [
      [texts.product, subject.productId],
      [texts.company, `${passport.economicOperator.name} (${subject.operator.regId})`],
      [texts.passportId, subject.id],
      [texts.sealedAt, subject.created.replace('T', ' ').replace('Z', ' UTC')],
      [texts.hidden, Object.keys(redactedLeaves).join(', ')],
      ...caFacts(fingerprint),
    ]
    // Also lists aspects that the seal does not cover.
    showRows(
      [...rows, ...(rfc3161 === undefined ? [] : [['timestamp', null]]), ['status', null], ['item', null]],
      facts,
      reason,
    )
  }

  const caFacts = (fingerprint) => [
    [texts.fingerprint, fingerprint],
    [texts.caOrigin, fingerprint === '' ? '' : isCaFromHere ? texts.caFromHere : texts.caOwn],
  ]

  const statusParts = ({ status }) => {
    if (typeof status !== 'string' || !has(texts.statuses, status)) return {}
    const isAlarming = status !== 'ACTIVE'
    return {
      status: fill(isFromHere ? texts.statusHere : texts.statusDocument, { status: texts.statuses[status] }),
      isAlarming,
    }
  }

  const isUnsealed = (text) => {
    try {
      const document = parseText(text)
      return isObject(document) && (document.proof ?? null) === null
    } catch {
      return false
    }
  }

  const isCredential = (text) => {
    try {
      const { type } = parseText(text)
      return Array.isArray(type) && type.includes('VerifiableCredential')
    } catch {
      return false
    }
  }

  const offer = (label, href) => {
    const link = element('a', label)
    link.href = href
    at('action').replaceChildren(link)
  }

  const presentCredential = ({ verdict, checks, credential = {} }) => {
    const subject = [credential.credentialSubject].flat()[0] ?? credential
    const { issuer, validFrom, iat } = credential
    const parts = {
      by: isObject(issuer) && isText(issuer.name) ? fill(texts.issuedBy, { name: issuer.name }) : '',
      for: isObject(subject) && isText(subject.name) ? fill(texts.for, { product: subject.name }) : '',
    }
    const wrong = checks.filter(({ ok }) => ok === false).map(({ name }) => name)
    if (verdict === 'valid')
      say('good', fill(texts.unchanged, { date: dateOf(validFrom ?? (iat ?? Number.NaN) * 1000) }), parts)
    else if (verdict === 'undecided') say('open', texts.open, { ...parts, reason: texts.openIssuer })
    else if (wrong.every((name) => name === 'status' || name === 'validity')) say('bad', texts.ended, parts)
    else say('bad', texts.broken, { reason: texts.brokenText })
    showRows(
      [...checks.map(({ name, ok }) => [name === 'status' ? 'revoked' : name, ok]), ['item', null]],
      [],
      checks
        .map(({ detail }) => detail)
        .filter((detail) => detail !== '')
        .join(' '),
    )
  }

  const show = async () => {
    forget()
    const mine = requestCount
    const text = at('document').value
    const given = text.trim()
    const start = given.replace(/^\ufeff/, '')
    if (given === '') return say('open', texts.nothing, { reason: texts.nothingText })
    if (!start.startsWith('{') && !isToken(given))
      return given.length <= MAX_SOUGHT && !/[{}[\]"<>]/.test(given)
        ? look(given)
        : say('open', texts.unknown, { reason: texts.unknownText })
    if (crypto.subtle === undefined) return say('open', texts.noCompute, { reason: texts.noComputeText })
    if (isToken(given)) {
      const result = await verifyCredential(given, isServed ? { origin: location.origin, read: readHere } : {})
      if (mine === requestCount) presentCredential(result)
    } else if (isCredential(text)) {
      return say('open', texts.unknown, { reason: texts.unknownText })
    } else {
      await takeOwnCa(text)
      const ca = at('ca').value.trim() === '' ? undefined : at('ca').value
      const lists = await ownLists(text)
      const result = await verifySeal(text, ca, { lists })
      if (mine === requestCount) await presentSeal(text, result, ca, lists)
    }
    if (mine === requestCount && !at('outcome').hidden) at('input').open = false
  }

  const isOfHere = (text) => isServed && text.includes(`"${location.origin}/passport/`)
  /** Defaults to the CA certificate of this server for its own passports. */
  const takeOwnCa = async (text) => {
    if (isOfHere(text) && at('ca').value.trim() === '') await loadCa().catch(() => {})
  }
  /** Loads revocation lists of this server's seal CAs; unavailable lists are ignored. */
  const ownLists = async (text) => {
    if (!isOfHere(text)) return undefined
    const authorities = isCaFromHere ? at('ca').value : await readHere(CA_PATH, '*/*').catch(() => '')
    const count = Math.min(authorities.split('-----END CERTIFICATE-----').length - 1, MAX_AUTHORITIES)
    const lists = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        readHere(`${LIST_PATH}${index + 1}`, '*/*', 'arrayBuffer').catch(() => []),
      ),
    )
    return lists.map((list) => new Uint8Array(list))
  }
  const loadCa = async () => {
    at('ca').value = await readHere(CA_PATH, '*/*')
    isCaFromHere = true
    at('caFrom').textContent = texts.caFromHere
  }

  const look = async (sought) => {
    if (!isServed || !texts.canSearch) {
      say('open', texts.elsewhere, { reason: texts.elsewhereText, next: commandFor(sought) })
      return
    }
    await load(`/?q=${encodeURIComponent(sought)}&lang=${texts.lang}`, sought)
  }

  const commandFor = (sought) => {
    const address = /^https?:\/\//i.test(sought) ? URL.parse(sought) : null
    return address === null
      ? ''
      : `curl -sL -H 'Accept: application/ld+json' '${address.href.replaceAll("'", '%27')}' > passport.json`
  }

  const load = async (path, sought = '') => {
    const mine = requestCount
    try {
      const text = await readHere(path, 'application/ld+json')
      if (at('ca').value.trim() === '') await loadCa()
      if (mine !== requestCount) return
      at('document').value = text
    } catch {
      if (mine === requestCount) say('open', texts.elsewhere, { reason: texts.elsewhereText, next: commandFor(sought) })
      return
    }
    isFromHere = true
    await show()
  }

  const readHere = async (path, type, as = 'text') => {
    // biome-ignore lint/style/noRestrictedGlobals: this runs in a browser, whose policy for this page allows this server alone.
    const response = await fetch(path, { headers: { Accept: type }, cache: 'no-cache' })
    if (response.status !== 200) throw new Error(`The server responded with ${response.status}.`)
    return response[as]()
  }

  const readFile = async (file) => {
    if (file.size > MAX_BYTES) throw new Error('The document is larger than 3,145,728 bytes.')
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer())
  }

  const change = (area, value) => {
    forget()
    at(area).value = value
    if (area === 'document') isFromHere = false
    else {
      isCaFromHere = false
      at('caFrom').textContent = ''
    }
  }
  const take = async (area, file) => {
    if (file === undefined) return
    try {
      change(area, await readFile(file))
      if (area === 'document') await show()
    } catch {
      change(area, '')
      say('open', texts.unreadable, { reason: texts.unreadableText })
    }
  }
  for (const [area, input] of [
    ['document', 'documentFile'],
    ['ca', 'caFile'],
  ]) {
    at(input).addEventListener('change', ({ target }) => take(area, target.files[0]))
    at(area).addEventListener('input', () => change(area, at(area).value))
  }
  whenDropped((file, target) => take(target === at('ca') ? 'ca' : 'document', file))
  at('form').addEventListener('submit', (event) => {
    event.preventDefault()
    show()
  })
  if (!isServed) document.querySelector('.switcher').hidden = true

  // Opened from a passport page, or with a document dropped on the front page.
  const [, opened] = /^#(passport\/[0-9a-f-]{36}(?:\?version=[1-9][0-9]{0,8})?)$/.exec(location.hash) ?? []
  const handed = isServed ? sessionStorage.getItem('document') : null
  if (opened !== undefined && isServed) load(`/${opened}`)
  else if (handed !== null) {
    sessionStorage.removeItem('document')
    at('document').value = handed
    show()
  }
}
