// Builds the typed client as a package without dependencies: `node .ci/build-client.mjs [FOLDER]`. Compiled with
// browser types, so that it uses nothing of Node.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const [folder = 'dist/client'] = process.argv.slice(2)
rmSync(folder, { recursive: true, force: true })
execFileSync('node_modules/.bin/tsc', ['-p', '.ci/tsconfig.client.json', '--outDir', folder], { stdio: 'inherit' })
// Only their types are used.
const typesOnly = ['src/client/contract.js', 'src/generated/openapi.js', 'plugins/**/*.js']
for (const file of globSync(typesOnly, { cwd: folder })) rmSync(`${folder}/${file}`)
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
  exports: { '.': { types: './src/client/index.d.ts', default: './src/client/index.js' } },
  files: ['src', 'plugins'],
}
writeFileSync(`${folder}/package.json`, `${JSON.stringify(described, null, 2)}\n`)
