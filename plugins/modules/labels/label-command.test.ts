import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { textOf } from '../../../test/support/code-readers.ts'
import { BASE_URL, MASTER_KEY } from '../../../test/support/gateway.ts'
import { useLabels } from '../../../test/support/label-client.ts'
import { dpp } from '../../../test/support/process.ts'
import { referenceTool } from '../../../test/support/reference-tools.ts'
import { filesInZip } from '../../../test/support/zip-reader.ts'

const { gateway, workspace, gtin, id } = await useLabels()

const poppler = referenceTool('pdftoppm')

describe('dpp labels', () => {
  const env = { DATABASE_URL: gateway.databaseUrl, MASTER_KEY, BASE_URL }
  const inFolder = async (use: (file: string, folder: string) => Promise<void>) => {
    const folder = mkdtempSync(join(tmpdir(), 'dpp-labels-'))
    await use(join(folder, 'out'), folder).finally(() => rmSync(folder, { recursive: true }))
  }

  test('writes a file, says what it has printed, and leaves nothing half done', async () => {
    await inFolder(async (out, folder) => {
      const absent = randomUUID()
      const { stdout, stderr, code } = await dpp(
        [
          'labels',
          '--workspace',
          workspace.id,
          '--passport',
          `${id},${absent}`,
          '--format',
          'png',
          '--out',
          out,
          '--json',
        ],
        env,
      )
      expect([code, stderr]).toEqual([0, ''])
      expect(JSON.parse(stdout)).toEqual({
        file: out,
        bytes: readFileSync(out).length,
        included: 1,
        skipped: [{ id: absent, reason: 'NOT_FOUND' }],
      })
      expect([...(await filesInZip(readFileSync(out))).keys()]).toEqual([`qr-${gtin}.png`, 'manifest.json'])
      expect(readdirSync(folder)).toEqual(['out'])
    })
  })

  test.runIf(poppler !== undefined)('prints the units of a passport on sheets', async () => {
    await inFolder(async (out) => {
      const { stdout, code } = await dpp(
        ['labels', '--workspace', workspace.id, '--units-of', id, '--from', 'SN-05', '--layout', 'L7160', '--out', out],
        env,
      )
      expect([code, stdout]).toEqual([0, `25 labels: ${out}\n`])
      const text = textOf(readFileSync(out))
      expect([text.includes('(21) SN-05'), text.includes('(21) SN-29'), text.includes('(21) SN-04')]).toEqual([
        true,
        true,
        false,
      ])
    })
  })

  test.each([
    [['--passport', id], '--out is missing.'],
    [['--out', 'x'], 'Set exactly one of --passport, --unit and --units-of.'],
    [['--passport', id, '--units-of', id, '--out', 'x'], 'Set exactly one of --passport, --unit and --units-of.'],
    [['--passport', id, '--out', 'x', '--layout', 'A4'], '--layout must be one of: 5160, L7159, L7160, L7163,'],
    [['--passport', id, '--out', 'x', '--format', 'gif'], '--format must be one of: pdf, png, svg.'],
    [['--passport', id, '--out', 'x', '--size', 'big'], '--size must be an integer number of pixels.'],
    [['--passport', id, '--out', '/no/such/folder/x'], '--out: Folder /no/such/folder not found. Create it first.'],
  ])('%j is refused', async (words, message) => {
    const { code, stderr } = await dpp(['labels', '--workspace', workspace.id, ...words], env)
    expect([code, stderr.slice(0, message.length)]).toEqual([2, message])
  })

  test('ends with 1 where there is nothing to print', async () => {
    await inFolder(async (out) => {
      const { code, stdout } = await dpp(['labels', '--workspace', randomUUID(), '--passport', id, '--out', out], env)
      expect([code, stdout]).toEqual([1, `0 labels: ${out}\nNOT_FOUND  ${id}\n`])
    })
  })
})
