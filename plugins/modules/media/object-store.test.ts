import { expect, test } from 'vitest'
import { signature } from './services/object-store.ts'

// Example from Amazon's documentation: "Authenticating Requests: Using the Authorization Header", GET Bucket Lifecycle.
test('a request is signed as Amazon signs it', () => {
  const { authorization } = signature(
    {
      region: 'us-east-1',
      accessKey: 'AKIAIOSFODNN7EXAMPLE',
      secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
    {
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/?lifecycle='),
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      at: new Date('2013-05-24T00:00:00Z'),
    },
  )
  expect(authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  )
})
