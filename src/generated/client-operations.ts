/**
 * This file was made of openapi.yaml and of the modules by .ci/types.mjs.
 * Do not make direct changes to the file.
 */

import type * as gateway from './openapi.ts'
import type * as imports from '../../plugins/modules/imports/generated.ts'
import type * as labels from '../../plugins/modules/labels/generated.ts'
import type * as reference from '../../plugins/modules/reference/generated.ts'
import type * as traceability from '../../plugins/modules/traceability/generated.ts'

export type operations = gateway.operations & imports.operations & labels.operations & reference.operations & traceability.operations
export type Schemas = gateway.components['schemas'] & imports.components['schemas'] & labels.components['schemas'] & reference.components['schemas'] & traceability.components['schemas']

/** The request and the answer of each operation, as the client needs them. */
export const OPERATIONS = {
    listPassports: {"method":"GET","path":"/api/v1/passports","pages":{"items":"passports","by":"page","from":"page"}},
    createPassport: {"method":"POST","path":"/api/v1/passports","body":"application/json","once":true},
    validatePassport: {"method":"POST","path":"/api/v1/passports/validate-only","body":"application/json"},
    validatePassportPublic: {"method":"POST","path":"/api/v1/passports/validate-only-public","body":"application/json"},
    bulkIngestPassports: {"method":"POST","path":"/api/v1/passports/bulk","body":"application/json","once":true},
    ingestPassportFromAas: {"method":"POST","path":"/api/v1/passports/aas/ingest","body":"application/json"},
    passportVcReadinessReport: {"method":"GET","path":"/api/v1/passports/vc-readiness","pages":{"items":"results","by":"page","from":"page"}},
    reportCompleteness: {"method":"GET","path":"/api/v1/passports/completeness","pages":{"items":"categories","by":"cursor","from":"nextCursor"}},
    getPassport: {"method":"GET","path":"/api/v1/passports/{id}","accept":"application/ld+json","forms":"passports"},
    updatePassport: {"method":"PUT","path":"/api/v1/passports/{id}","headers":["If-Match"],"body":"application/json"},
    deleteDraftPassport: {"method":"DELETE","path":"/api/v1/passports/{id}","headers":["If-Match"]},
    sealPassport: {"method":"POST","path":"/api/v1/passports/{id}/seal","headers":["If-Match"]},
    getPassportHistory: {"method":"GET","path":"/api/v1/passports/{id}/history","pages":{"items":"versions","by":"before","from":"nextBefore"}},
    getPassportCompleteness: {"method":"GET","path":"/api/v1/passports/{id}/completeness"},
    revisePassport: {"method":"POST","path":"/api/v1/passports/{id}/revisions","headers":["If-Match"],"body":"application/json","once":true},
    getPassportQr: {"method":"GET","path":"/api/v1/passports/{id}/qr","accept":"image/png, image/svg+xml"},
    getPassportRegistration: {"method":"GET","path":"/api/v1/passports/{id}/registration"},
    registerPassport: {"method":"POST","path":"/api/v1/passports/{id}/registration"},
    getUnitRegistration: {"method":"GET","path":"/api/v1/units/{id}/registration"},
    registerUnit: {"method":"POST","path":"/api/v1/units/{id}/registration"},
    exportRegistryEntries: {"method":"GET","path":"/api/v1/registry-entries","accept":"application/json, application/xml"},
    getRegistrationProof: {"method":"GET","path":"/passport/{id}/registration-proof","accept":"application/pdf, application/xml, application/json"},
    getUnitRegistrationProof: {"method":"GET","path":"/unit/{id}/registration-proof","accept":"application/pdf, application/xml, application/json"},
    listPassportMedia: {"method":"GET","path":"/api/v1/passports/{id}/media"},
    arrangePassportMedia: {"method":"PUT","path":"/api/v1/passports/{id}/media","body":"application/json"},
    uploadPassportMedia: {"method":"POST","path":"/api/v1/passports/{id}/media","body":"file"},
    deletePassportMedia: {"method":"DELETE","path":"/api/v1/passports/{id}/media/{mediaId}"},
    listPassportLinks: {"method":"GET","path":"/api/v1/passports/{id}/links"},
    linkPassport: {"method":"POST","path":"/api/v1/passports/{id}/links","body":"application/json"},
    deletePassportLink: {"method":"DELETE","path":"/api/v1/links/{id}"},
    acceptPassportLink: {"method":"POST","path":"/api/v1/links/{id}/accept"},
    declinePassportLink: {"method":"POST","path":"/api/v1/links/{id}/decline"},
    offerUnitHandover: {"method":"POST","path":"/api/v1/units/{id}/handover","body":"application/json"},
    offerPassportHandover: {"method":"POST","path":"/api/v1/passports/{id}/handover","body":"application/json"},
    acceptHandover: {"method":"POST","path":"/api/v1/handovers/accept","body":"application/json"},
    withdrawHandover: {"method":"DELETE","path":"/api/v1/handovers/{id}"},
    getMediaFile: {"method":"GET","path":"/media/{id}/{file}","accept":"image/webp, application/pdf"},
    updatePassportStatus: {"method":"PUT","path":"/api/v1/passports/{id}/status","headers":["If-Match"],"body":"application/json"},
    getUnitQr: {"method":"GET","path":"/api/v1/units/{id}/qr","accept":"image/png, image/svg+xml"},
    listOperators: {"method":"GET","path":"/api/v1/operators"},
    registerOperator: {"method":"POST","path":"/api/v1/operators","body":"application/json"},
    getOperator: {"method":"GET","path":"/api/v1/operators/{id}"},
    updateOperator: {"method":"PATCH","path":"/api/v1/operators/{id}","headers":["If-Match"],"body":"application/json"},
    deleteOperator: {"method":"DELETE","path":"/api/v1/operators/{id}","headers":["If-Match"]},
    restoreOperator: {"method":"POST","path":"/api/v1/operators/{id}/restore"},
    listFacilities: {"method":"GET","path":"/api/v1/facilities"},
    registerFacility: {"method":"POST","path":"/api/v1/facilities","body":"application/json"},
    getFacility: {"method":"GET","path":"/api/v1/facilities/{id}"},
    updateFacility: {"method":"PUT","path":"/api/v1/facilities/{id}","headers":["If-Match"],"body":"application/json"},
    deleteFacility: {"method":"DELETE","path":"/api/v1/facilities/{id}","headers":["If-Match"]},
    listBatteryUnits: {"method":"GET","path":"/api/v1/passports/{passportId}/units","pages":{"items":"units","by":"page","from":"page"}},
    serializeBatteryUnits: {"method":"POST","path":"/api/v1/passports/{passportId}/units","body":"application/json","once":true},
    validateBatteryUnits: {"method":"POST","path":"/api/v1/passports/{passportId}/units/validate","body":"application/json"},
    listBatches: {"method":"GET","path":"/api/v1/passports/{passportId}/batches","pages":{"items":"batches","by":"page","from":"page"}},
    createBatches: {"method":"POST","path":"/api/v1/passports/{passportId}/batches","body":"application/json","once":true},
    getBatch: {"method":"GET","path":"/api/v1/batches/{id}","accept":"application/ld+json"},
    deleteBatch: {"method":"DELETE","path":"/api/v1/batches/{id}"},
    getBatteryUnit: {"method":"GET","path":"/api/v1/units/{id}","accept":"application/ld+json"},
    deleteBatteryUnit: {"method":"DELETE","path":"/api/v1/units/{id}"},
    listBatteryUnitEvents: {"method":"GET","path":"/api/v1/units/{id}/events"},
    recordBatteryUnitEvent: {"method":"POST","path":"/api/v1/units/{id}/events","body":"application/json"},
    recordBatteryUnitEvents: {"method":"POST","path":"/api/v1/units/events","body":"application/json","once":true},
    listGrants: {"method":"GET","path":"/api/v1/grants","pages":{"items":"grants","by":"page","from":"page"}},
    issueGrant: {"method":"POST","path":"/api/v1/grants","body":"application/json"},
    revokeGrant: {"method":"DELETE","path":"/api/v1/grants/{id}"},
    approveGrant: {"method":"POST","path":"/api/v1/grants/{id}/approve","body":"application/json"},
    renewGrant: {"method":"POST","path":"/api/v1/grants/{id}/renew","body":"application/json"},
    denyGrant: {"method":"POST","path":"/api/v1/grants/{id}/deny"},
    listWebhookSubscriptions: {"method":"GET","path":"/api/v1/webhooks/subscriptions"},
    createWebhookSubscription: {"method":"POST","path":"/api/v1/webhooks/subscriptions","body":"application/json"},
    updateWebhookSubscription: {"method":"PATCH","path":"/api/v1/webhooks/subscriptions/{id}","body":"application/json"},
    deleteWebhookSubscription: {"method":"DELETE","path":"/api/v1/webhooks/subscriptions/{id}"},
    rotateWebhookSecret: {"method":"POST","path":"/api/v1/webhooks/subscriptions/{id}/rotate-secret"},
    testWebhookSubscription: {"method":"POST","path":"/api/v1/webhooks/subscriptions/{id}/test"},
    listWebhookDeliveries: {"method":"GET","path":"/api/v1/webhooks/deliveries"},
    replayWebhookDelivery: {"method":"POST","path":"/api/v1/webhooks/deliveries/{id}/replay"},
    showAccessRequest: {"method":"GET","path":"/request-access","accept":"text/html"},
    requestAccess: {"method":"POST","path":"/request-access","body":"application/x-www-form-urlencoded","accept":"text/html"},
    showAccessRequestStatus: {"method":"GET","path":"/request-access/{reference}","accept":"text/html"},
    listNotifications: {"method":"GET","path":"/api/v1/notifications","pages":{"items":"notifications","by":"before","from":"next"}},
    readNotification: {"method":"POST","path":"/api/v1/notifications/{id}/read"},
    rotateTenantKeys: {"method":"POST","path":"/api/v1/tenants/rotate-keys"},
    listAuditLog: {"method":"GET","path":"/api/v1/audit/log","pages":{"items":"entries","by":"cursor","from":"nextCursor"}},
    getPassportStatistics: {"method":"GET","path":"/api/v1/passports/{id}/statistics"},
    verifySeal: {"method":"POST","path":"/api/v1/audit/verify","body":"application/json"},
    getSealCa: {"method":"GET","path":"/.well-known/opendpp-seal-ca.pem","accept":"application/x-pem-file"},
    getSealRevocationList: {"method":"GET","path":"/.well-known/opendpp-seal-crl/{number}","accept":"application/pkix-crl"},
    getFrontPage: {"method":"GET","path":"/","accept":"text/html"},
    getServiceWorker: {"method":"GET","path":"/sw.js","accept":"text/javascript"},
    getCodeReader: {"method":"GET","path":"/code-reader/{file}","accept":"text/javascript"},
    getResolverDescription: {"method":"GET","path":"/.well-known/gs1resolver"},
    getVerifyPage: {"method":"GET","path":"/verify","accept":"text/html"},
    whoami: {"method":"GET","path":"/api/v1/whoami"},
    resolvePublicPassport: {"method":"GET","path":"/passport/{id}","accept":"application/ld+json","forms":"passports"},
    resolveGs1Gtin: {"method":"GET","path":"/01/{gtin14}","accept":"application/ld+json","forms":"passports"},
    resolveGs1GtinSerial: {"method":"GET","path":"/01/{gtin14}/21/{serial}","accept":"application/linkset+json, application/json"},
    resolveGs1GtinQualifier: {"method":"GET","path":"/01/{gtin14}/{ai}/{value}","accept":"application/ld+json","forms":"passports"},
    resolveGs1GtinTwoQualifiers: {"method":"GET","path":"/01/{gtin14}/{ai}/{value}/{ai2}/{value2}","accept":"application/ld+json","forms":"passports"},
    resolveGs1GtinThreeQualifiers: {"method":"GET","path":"/01/{gtin14}/{ai}/{value}/{ai2}/{value2}/{ai3}/{value3}","accept":"application/linkset+json, application/json"},
    resolveGs1Grai: {"method":"GET","path":"/8003/{grai}","accept":"application/ld+json","forms":"passports"},
    resolveGs1GraiSerial: {"method":"GET","path":"/8003/{grai}/21/{serial}","accept":"application/linkset+json, application/json"},
    resolvePublicBatteryUnit: {"method":"GET","path":"/unit/{id}","accept":"application/ld+json","forms":"units"},
    resolvePublicBatch: {"method":"GET","path":"/batch/{id}","accept":"application/ld+json","forms":"batches"},
    resolveCredential: {"method":"GET","path":"/credentials/{passportId}","accept":"application/vc+jwt, application/vc+ld+json, application/dc+sd-jwt"},
    resolveUnitCredential: {"method":"GET","path":"/credentials/unit/{unitId}","accept":"application/vc+jwt, application/vc+ld+json, application/dc+sd-jwt"},
    getDidDocument: {"method":"GET","path":"/tenants/{tenantId}/did.json","accept":"application/did+ld+json"},
    getStatusList: {"method":"GET","path":"/tenants/{tenantId}/status/revocation","accept":"application/vc+jwt, application/vc+ld+json"},
    getTokenStatusList: {"method":"GET","path":"/tenants/{tenantId}/status/tokens","accept":"application/statuslist+jwt"},
    getJwtVcIssuer: {"method":"GET","path":"/.well-known/jwt-vc-issuer/tenants/{tenantId}"},
    getCredentialType: {"method":"GET","path":"/vct/digital-product-passport"},
    getContext: {"method":"GET","path":"/context/v1","accept":"application/ld+json"},
    getVocabulary: {"method":"GET","path":"/ns/dpp","accept":"text/html, application/ld+json"},
    listMaterials: {"method":"GET","path":"/api/v1/materials"},
    getCategorySchema: {"method":"GET","path":"/api/v1/schemas/{category}","accept":"application/schema+json"},
    getOpenapiJson: {"method":"GET","path":"/openapi.json"},
    getOpenapiYaml: {"method":"GET","path":"/openapi.yaml","accept":"application/yaml"},
    getVersion: {"method":"GET","path":"/api/v1/version"},
    getHealth: {"method":"GET","path":"/health"},
    getReady: {"method":"GET","path":"/ready"},
    listImports: {"method":"GET","path":"/api/v1/imports"},
    importPassports: {"method":"POST","path":"/api/v1/imports","body":"file"},
    getImport: {"method":"GET","path":"/api/v1/imports/{id}"},
    getImportErrors: {"method":"GET","path":"/api/v1/imports/{id}/errors","accept":"text/csv"},
    getImportTemplate: {"method":"GET","path":"/api/v1/imports/templates/{category}","accept":"text/csv, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    exportPassports: {"method":"GET","path":"/api/v1/passports/export","accept":"text/csv, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, application/x-ndjson, application/aas+zip"},
    printPassportLabels: {"method":"POST","path":"/api/v1/passports/labels","body":"application/json","accept":"application/zip, application/pdf, application/json"},
    printUnitLabels: {"method":"POST","path":"/api/v1/units/labels","body":"application/json","accept":"application/zip, application/pdf, application/json"},
    getLabelJob: {"method":"GET","path":"/api/v1/label-jobs/{id}"},
    downloadLabels: {"method":"GET","path":"/api/v1/label-jobs/{id}/file","accept":"application/zip, application/pdf"},
    getApiReference: {"method":"GET","path":"/docs","headers":["Accept-Encoding"],"accept":"text/html"},
    getApiReferencePage: {"method":"GET","path":"/docs/{page}","headers":["Accept-Encoding"],"accept":"text/html"},
    getApiReferenceSchema: {"method":"GET","path":"/docs/schemas/{name}","headers":["Accept-Encoding"],"accept":"text/html"},
    queryTraceEvents: {"method":"GET","path":"/api/v1/events","accept":"application/json, application/ld+json","pages":{"items":"epcisBody.queryResults.resultsBody.eventList","by":"nextPageToken","from":"Link"}},
    captureTraceEvents: {"method":"POST","path":"/api/v1/events","body":"application/json","once":true},
    listTraceCaptures: {"method":"GET","path":"/api/v1/capture"},
    captureTraceDocument: {"method":"POST","path":"/api/v1/capture","headers":["GS1-Capture-Error-Behaviour"],"body":"application/json","once":true},
    getTraceCapture: {"method":"GET","path":"/api/v1/capture/{captureID}"},
    getTraceEvent: {"method":"GET","path":"/api/v1/events/{id}","accept":"application/json, application/ld+json"},
    getEventLineage: {"method":"GET","path":"/api/v1/events/{id}/lineage","accept":"application/json, application/ld+json"},
    screenEventLineage: {"method":"POST","path":"/api/v1/events/{id}/audit"},
    getPassportJourney: {"method":"GET","path":"/api/v1/passports/{id}/journey"},
    publishPassportJourney: {"method":"PUT","path":"/api/v1/passports/{id}/journey","body":"application/json"},
    withdrawPassportJourney: {"method":"DELETE","path":"/api/v1/passports/{id}/journey"},
} as const

/** What each operation is for, as editors show it. */
export interface Summaries {
    /** List the passports of the workspace's operators, newest first */
    readonly listPassports: unknown
    /** Create a passport, or save a draft of one */
    readonly createPassport: unknown
    /** Check a passport without storing it */
    readonly validatePassport: unknown
    /** Check a passport without storing it, with any valid credential */
    readonly validatePassportPublic: unknown
    /** Ingest up to 200 passports at once */
    readonly bulkIngestPassports: unknown
    /** Ingest a passport from an Asset Administration Shell environment */
    readonly ingestPassportFromAas: unknown
    /** Which passports can become verifiable credentials */
    readonly passportVcReadinessReport: unknown
    /** Say of every passport of the catalogue how much of what the law asks is there */
    readonly reportCompleteness: unknown
    /** Read one passport in the representation that the Accept header names */
    readonly getPassport: unknown
    /** Replace the metadata of a passport; the previous version goes to its history */
    readonly updatePassport: unknown
    /** Delete a draft with everything that hangs on it */
    readonly deleteDraftPassport: unknown
    /** Seal the content of a passport with the workspace's key */
    readonly sealPassport: unknown
    /** Read the versions of a passport and what each has changed, newest first */
    readonly getPassportHistory: unknown
    /** Say what the law asks of a passport and its units, and what of it is missing */
    readonly getPassportCompleteness: unknown
    /** Correct a sealed passport and seal it anew, in one step */
    readonly revisePassport: unknown
    /** The code that is printed on a product */
    readonly getPassportQr: unknown
    /** What the registry would be told of a passport, what speaks against it, and what has become of it */
    readonly getPassportRegistration: unknown
    /** Register a passport with the registry of this gateway */
    readonly registerPassport: unknown
    /** What the registry would be told of a battery unit, what speaks against it, and what has become of it */
    readonly getUnitRegistration: unknown
    /** Register a battery unit with the registry of this gateway */
    readonly registerUnit: unknown
    /** Registry entries of passports and battery units as a file to upload */
    readonly exportRegistryEntries: unknown
    /** The registry's proof of registration, as the registry gave it */
    readonly getRegistrationProof: unknown
    /** The registry's proof that a battery unit is registered, as the registry gave it */
    readonly getUnitRegistrationProof: unknown
    /** Pictures and documents of a passport */
    readonly listPassportMedia: unknown
    /** Order the media of a passport, and give them titles */
    readonly arrangePassportMedia: unknown
    /** Add a picture or a document to a passport of the workspace */
    readonly uploadPassportMedia: unknown
    /** Delete a picture or a document of a passport */
    readonly deletePassportMedia: unknown
    /** Links of a passport with others */
    readonly listPassportLinks: unknown
    /** Link a passport of the workspace with another */
    readonly linkPassport: unknown
    /** Take a link away */
    readonly deletePassportLink: unknown
    /** Accept a link that another workspace asks for */
    readonly acceptPassportLink: unknown
    /** Decline a link that another workspace asks for */
    readonly declinePassportLink: unknown
    /** Offer a battery unit to the operator that prepares it for its next life */
    readonly offerUnitHandover: unknown
    /** Offer a passport to the operator of a passport that follows on it */
    readonly offerPassportHandover: unknown
    /** Take over a battery unit, or follow on a passport, with the code of its offer */
    readonly acceptHandover: unknown
    /** Withdraw an offer */
    readonly withdrawHandover: unknown
    /** A picture in one size, or a document */
    readonly getMediaFile: unknown
    /** Move a passport to ACTIVE, RECALLED or DECOMMISSIONED */
    readonly updatePassportStatus: unknown
    /** The code that is printed on a battery unit */
    readonly getUnitQr: unknown
    /** List the economic operators bound to the workspace, by name */
    readonly listOperators: unknown
    /** Register an economic operator */
    readonly registerOperator: unknown
    /** Read one economic operator */
    readonly getOperator: unknown
    /** Change name, role or contact of an operator */
    readonly updateOperator: unknown
    /** Delete an operator, or archive it when it has passports */
    readonly deleteOperator: unknown
    /** Take an operator and its passports out of the archive */
    readonly restoreOperator: unknown
    /** List the facilities of the workspace, newest first */
    readonly listFacilities: unknown
    /** Register a manufacturing facility */
    readonly registerFacility: unknown
    /** Read one facility */
    readonly getFacility: unknown
    /** Change a facility; absent members stay as they are */
    readonly updateFacility: unknown
    /** Delete a facility; passports that name it are unlinked, never deleted */
    readonly deleteFacility: unknown
    /** List the battery units of a passport, newest first */
    readonly listBatteryUnits: unknown
    /** Serialise one battery unit, or up to 200, under a passport of the workspace */
    readonly serializeBatteryUnits: unknown
    /** Check battery units without storing them */
    readonly validateBatteryUnits: unknown
    /** List the batches of a passport, newest first */
    readonly listBatches: unknown
    /** Record one batch, or up to 200, under a passport of the workspace */
    readonly createBatches: unknown
    /** Read one batch as JSON-LD */
    readonly getBatch: unknown
    /** Delete a batch that was recorded by mistake */
    readonly deleteBatch: unknown
    /** Read one battery unit as JSON-LD, with what was measured */
    readonly getBatteryUnit: unknown
    /** Delete a battery unit that was serialised by mistake, with its events */
    readonly deleteBatteryUnit: unknown
    /** List the newest 500 events of a battery unit, by when they happened */
    readonly listBatteryUnitEvents: unknown
    /** Record an event of a battery unit */
    readonly recordBatteryUnitEvent: unknown
    /** Record up to 1,000 events of any battery units of the workspace */
    readonly recordBatteryUnitEvents: unknown
    /** List access grants and pending requests, by status and then newest first */
    readonly listGrants: unknown
    /** Issue a legitimate-interest grant; its token is shown this once */
    readonly issueGrant: unknown
    /** End a grant or a request, at once and in every process; the record stays */
    readonly revokeGrant: unknown
    /** Approve a pending request; its token is shown this once */
    readonly approveGrant: unknown
    /** Give a grant another end; its token stays the same */
    readonly renewGrant: unknown
    /** Deny a pending request */
    readonly denyGrant: unknown
    /** List the webhook subscriptions of the workspace, oldest first */
    readonly listWebhookSubscriptions: unknown
    /** Have events sent to an address; its signing secret is shown this once */
    readonly createWebhookSubscription: unknown
    /** Change the address, the events, or whether a subscription is active */
    readonly updateWebhookSubscription: unknown
    /** Delete a subscription with its deliveries; what waits is not sent */
    readonly deleteWebhookSubscription: unknown
    /** Give a subscription a new signing secret, which is shown this once */
    readonly rotateWebhookSecret: unknown
    /** Send a signed test event now, and say how it went */
    readonly testWebhookSubscription: unknown
    /** List the latest deliveries with their attempts, newest first */
    readonly listWebhookDeliveries: unknown
    /** Send a delivery that has ended once more, with a new plan of attempts */
    readonly replayWebhookDelivery: unknown
    /** The form on which anybody asks for access to the restricted values of a passport */
    readonly showAccessRequest: unknown
    /** Ask for access; the workspace decides */
    readonly requestAccess: unknown
    /** What has become of a request for access */
    readonly showAccessRequestStatus: unknown
    /** What has happened in the workspace, newest first */
    readonly listNotifications: unknown
    /** Say that a notification was read, for everybody of the workspace */
    readonly readNotification: unknown
    /** Make a new seal key pair for the workspace and retire the current one */
    readonly rotateTenantKeys: unknown
    /** List the entries of the workspace's audit trail, newest first */
    readonly listAuditLog: unknown
    /** Count how often a passport and its units were resolved, by the day */
    readonly getPassportStatistics: unknown
    /** Verify a seal that was made here, without an account */
    readonly verifySeal: unknown
    /** Certificates of the seal CA, which verifiers trust */
    readonly getSealCa: unknown
    /** List of the certificates of seal keys that are revoked */
    readonly getSealRevocationList: unknown
    /** The front page, which finds a passport by whatever a person has of it */
    readonly getFrontPage: unknown
    /** Script that keeps the pages a browser has shown, for when there is no network */
    readonly getServiceWorker: unknown
    /** Modules with which a browser reads a code in a photo by itself */
    readonly getCodeReader: unknown
    /** What this gateway resolves of GS1 Digital Link */
    readonly getResolverDescription: unknown
    /** Page that checks seals in the browser */
    readonly getVerifyPage: unknown
    /** Who the caller is, as the gateway sees it */
    readonly whoami: unknown
    /** Resolve a passport by its UUID */
    readonly resolvePublicPassport: unknown
    /** Resolve a passport by GS1 Digital Link, AI 01 */
    readonly resolveGs1Gtin: unknown
    /** Redirect a serialised GS1 Digital Link to the battery unit or the passport that it names */
    readonly resolveGs1GtinSerial: unknown
    /** Resolve a passport by GS1 Digital Link with a variant, a batch, or a third-party extension */
    readonly resolveGs1GtinQualifier: unknown
    /** Resolve by GS1 Digital Link with two of variant, batch and serial */
    readonly resolveGs1GtinTwoQualifiers: unknown
    /** Resolve by GS1 Digital Link with variant, batch and serial */
    readonly resolveGs1GtinThreeQualifiers: unknown
    /** Resolve a passport by GS1 Digital Link, AI 8003 */
    readonly resolveGs1Grai: unknown
    /** Redirect the link of a battery unit whose passport has a GRAI */
    readonly resolveGs1GraiSerial: unknown
    /** Resolve a serialised battery unit by its UUID */
    readonly resolvePublicBatteryUnit: unknown
    /** Resolve a batch by its UUID */
    readonly resolvePublicBatch: unknown
    /** Resolve the credential of a passport by its identifier */
    readonly resolveCredential: unknown
    /** Resolve the credential of a battery unit by its identifier */
    readonly resolveUnitCredential: unknown
    /** DID document of a workspace as issuer */
    readonly getDidDocument: unknown
    /** Bitstring Status List of a workspace */
    readonly getStatusList: unknown
    /** Token Status List of a workspace */
    readonly getTokenStatusList: unknown
    /** JWT VC issuer metadata of a workspace */
    readonly getJwtVcIssuer: unknown
    /** Type metadata of SD-JWT VC credentials */
    readonly getCredentialType: unknown
    /** JSON-LD context of the passport document */
    readonly getContext: unknown
    /** The vocabulary that the context names, as a page or as JSON-LD */
    readonly getVocabulary: unknown
    /** Curated vocabulary of materials */
    readonly listMaterials: unknown
    /** JSON Schema of a category's metadata, or of a unit's condition */
    readonly getCategorySchema: unknown
    /** This document as JSON */
    readonly getOpenapiJson: unknown
    /** This document as YAML */
    readonly getOpenapiYaml: unknown
    /** Contract version and build identity */
    readonly getVersion: unknown
    /** Whether the gateway can do its work */
    readonly getHealth: unknown
    /** Whether the gateway should be sent requests now */
    readonly getReady: unknown
    /** The last imports of the workspace, newest first */
    readonly listImports: unknown
    /** Take passports in from a spreadsheet or a file of lines */
    readonly importPassports: unknown
    /** How far an import is, and what has become of its rows */
    readonly getImport: unknown
    /** The refused rows of an import, each with the reason */
    readonly getImportErrors: unknown
    /** An empty table of a category, to be filled in and imported */
    readonly getImportTemplate: unknown
    /** The workspace's catalogue as a file that an import reads */
    readonly exportPassports: unknown
    /** Labels of up to 10,000 passports */
    readonly printPassportLabels: unknown
    /** Labels of up to 10,000 battery units */
    readonly printUnitLabels: unknown
    /** How far labels are that were not drawn at once */
    readonly getLabelJob: unknown
    /** The labels of a job that is done */
    readonly downloadLabels: unknown
    /** This document for people, as pages */
    readonly getApiReference: unknown
    /** One page of the reference */
    readonly getApiReferencePage: unknown
    /** One schema of the reference */
    readonly getApiReferenceSchema: unknown
    /** Events that match a query of EPCIS 2.0, in the order in which they came in */
    readonly queryTraceEvents: unknown
    /** Store events of the supply chain */
    readonly captureTraceEvents: unknown
    /** The captures of the workspace, the newest first */
    readonly listTraceCaptures: unknown
    /** Capture a long document of events */
    readonly captureTraceDocument: unknown
    /** What has become of a capture */
    readonly getTraceCapture: unknown
    /** Read one event as EPCIS 2.0 */
    readonly getTraceEvent: unknown
    /** What came before an event, as a tree, or as an EPCISDocument */
    readonly getEventLineage: unknown
    /** Compare a lineage with named lists */
    readonly screenEventLineage: unknown
    /** The journey of a product as its stored events tell it, and as it is published */
    readonly getPassportJourney: unknown
    /** Publish the journey of a product on its page */
    readonly publishPassportJourney: unknown
    /** Take the journey of a product off its page */
    readonly withdrawPassportJourney: unknown
}
