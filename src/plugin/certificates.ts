/** Published entry `dpp-gateway/plugin/certificates`. Loads a large library: import it where it is first used. */

export { exactly, issueCertificate, positive } from '../domain/certificate.ts'
