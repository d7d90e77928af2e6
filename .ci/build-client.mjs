// Builds the typed client as a package of its own, which needs nothing else: `node .ci/build-client.mjs [FOLDER]`. It is compiled
// with what browsers have, so that nothing of Node's gets into it.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const [folder = 'dist/client'] = process.argv.slice(2)
rmSync(folder, { recursive: true, force: true })
execFileSync('node_modules/.bin/tsc', ['-p', '.ci/tsconfig.client.json', '--outDir', folder], { stdio: 'inherit' })
// Types alone; nothing imports them at run time.
for (const file of ['client/contract.js', 'generated/openapi.js']) rmSync(`${folder}/${file}`)
cpSync('src/client/README.md', `${folder}/README.md`)
cpSync('LICENSE', `${folder}/LICENSE`)
const { version, license } = JSON.parse(readFileSync('package.json', 'utf8'))
const described = {
  name: '@dpp-gateway/client',
  version,
  description: 'Typed client of dpp-gateway: EU Digital Product Passports, with nothing but fetch.',
  license,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.3' },
  exports: { '.': { types: './client/index.d.ts', default: './client/index.js' } },
  files: ['client', 'generated'],
}
writeFileSync(`${folder}/package.json`, `${JSON.stringify(described, null, 2)}\n`)
