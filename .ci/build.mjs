// Builds `dist` for the published package: the checked sources as JavaScript, and the files read at run time.
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
execFileSync('node_modules/.bin/tsc', ['-p', '.ci/tsconfig.build.json'], { stdio: 'inherit' })
for (const folder of ['plugins', 'optional']) {
  cpSync(folder, `dist/${folder}`, {
    recursive: true,
    filter: (path) => !/\.ts$|\/demo-pictures\/.*\.svg$/.test(path),
  })
}
execFileSync(process.execPath, ['.ci/build-client.mjs'], { stdio: 'inherit' })
