import { expect, test } from 'vitest'
import { isOwnAddress } from '../../../src/domain/own-address.ts'

const own = { baseUrl: 'https://dpp.example:8443', workspaceHostSuffix: '.Workspaces.example' }

test.each([
  'https://dpp.example:8443/01/1',
  'https://DPP.example./01/1',
  'http://dpp.example/01/1',
  'https://dpp%2Eexample/',
  'https://a.workspaces.example/',
  'https://a.workspaces.example.:1/',
])('review-3-security S6: %s leads to this gateway', (url) => {
  expect(isOwnAddress(new URL(url), own)).toBe(true)
})

test.each(['https://example/', 'https://xdpp.example/', 'https://dpp.example.com/', 'https://workspaces.example/'])(
  '%s leads elsewhere',
  (url) => {
    expect(isOwnAddress(new URL(url), own)).toBe(false)
  },
)
