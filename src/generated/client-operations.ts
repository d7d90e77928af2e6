/**
 * This file was made of openapi.yaml and of the modules by .ci/types.mjs.
 * Do not make direct changes to the file.
 */

import type * as gateway from './openapi.ts'
import type * as batches from '../../plugins/modules/batches/generated.ts'
import type * as completeness from '../../plugins/modules/completeness/generated.ts'
import type * as console from '../../plugins/modules/console/generated.ts'
import type * as en18222 from '../../plugins/modules/en-18222/generated.ts'
import type * as frontDoor from '../../plugins/modules/front-door/generated.ts'
import type * as imports from '../../plugins/modules/imports/generated.ts'
import type * as labels from '../../plugins/modules/labels/generated.ts'
import type * as links from '../../plugins/modules/links/generated.ts'
import type * as media from '../../plugins/modules/media/generated.ts'
import type * as notifications from '../../plugins/modules/notifications/generated.ts'
import type * as reference from '../../plugins/modules/reference/generated.ts'
import type * as registry from '../../plugins/modules/registry/generated.ts'
import type * as statistics from '../../plugins/modules/statistics/generated.ts'
import type * as traceability from '../../plugins/modules/traceability/generated.ts'
import type * as verifier from '../../plugins/modules/verifier/generated.ts'

export type operations = gateway.operations & batches.operations & completeness.operations & console.operations & en18222.operations & frontDoor.operations & imports.operations & labels.operations & links.operations & media.operations & notifications.operations & reference.operations & registry.operations & statistics.operations & traceability.operations & verifier.operations
export type Schemas = gateway.components['schemas'] & batches.components['schemas'] & completeness.components['schemas'] & console.components['schemas'] & en18222.components['schemas'] & frontDoor.components['schemas'] & imports.components['schemas'] & labels.components['schemas'] & links.components['schemas'] & media.components['schemas'] & notifications.components['schemas'] & reference.components['schemas'] & registry.components['schemas'] & statistics.components['schemas'] & traceability.components['schemas'] & verifier.components['schemas']

/** The request and the answer of each operation, as the client needs them. */
export const OPERATIONS = {
    listPassports: {"method":"GET","path":"/api/v1/passports","pages":{"items":"passports","by":"page","from":"page"}},
    createPassport: {"method":"POST","path":"/api/v1/passports","body":"application/json","once":true},
    validatePassport: {"method":"POST","path":"/api/v1/passports/validate-only","body":"application/json"},
    validatePassportPublic: {"method":"POST","path":"/api/v1/passports/validate-only-public","body":"application/json"},
    bulkIngestPassports: {"method":"POST","path":"/api/v1/passports/bulk","body":"application/json","once":true},
    ingestPassportFromAas: {"method":"POST","path":"/api/v1/passports/aas/ingest","body":"application/json"},
    passportVcReadinessReport: {"method":"GET","path":"/api/v1/passports/vc-readiness","pages":{"items":"results","by":"page","from":"page"}},
    getPassport: {"method":"GET","path":"/api/v1/passports/{id}","accept":"application/ld+json","forms":"passports"},
    updatePassport: {"method":"PUT","path":"/api/v1/passports/{id}","headers":["If-Match"],"body":"application/json"},
    deleteDraftPassport: {"method":"DELETE","path":"/api/v1/passports/{id}","headers":["If-Match"]},
    sealPassport: {"method":"POST","path":"/api/v1/passports/{id}/seal","headers":["If-Match"]},
    getPassportHistory: {"method":"GET","path":"/api/v1/passports/{id}/history","pages":{"items":"versions","by":"before","from":"nextBefore"}},
    revisePassport: {"method":"POST","path":"/api/v1/passports/{id}/revisions","headers":["If-Match"],"body":"application/json","once":true},
    getPassportQr: {"method":"GET","path":"/api/v1/passports/{id}/qr","accept":"image/png, image/svg+xml"},
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
    getBatteryUnit: {"method":"GET","path":"/api/v1/units/{id}","accept":"application/ld+json"},
    deleteBatteryUnit: {"method":"DELETE","path":"/api/v1/units/{id}"},
    listBatteryUnitEvents: {"method":"GET","path":"/api/v1/units/{id}/events"},
    recordBatteryUnitEvent: {"method":"POST","path":"/api/v1/units/{id}/events","body":"application/json"},
    recordBatteryUnitEvents: {"method":"POST","path":"/api/v1/units/events","body":"application/json","once":true},
    listGrants: {"method":"GET","path":"/api/v1/grants","pages":{"items":"grants","by":"page","from":"page"}},
    issueGrant: {"method":"POST","path":"/api/v1/grants","body":"application/json"},
    getGrant: {"method":"GET","path":"/api/v1/grants/{id}"},
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
    rotateTenantKeys: {"method":"POST","path":"/api/v1/tenants/rotate-keys"},
    listAuditLog: {"method":"GET","path":"/api/v1/audit/log","pages":{"items":"entries","by":"cursor","from":"nextCursor"}},
    verifySeal: {"method":"POST","path":"/api/v1/audit/verify","body":"application/json"},
    getSealCa: {"method":"GET","path":"/.well-known/opendpp-seal-ca.pem","accept":"application/x-pem-file"},
    getSealRevocationList: {"method":"GET","path":"/.well-known/opendpp-seal-crl/{number}","accept":"application/pkix-crl"},
    getResolverDescription: {"method":"GET","path":"/.well-known/gs1resolver"},
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
    listBatches: {"method":"GET","path":"/api/v1/passports/{passportId}/batches","pages":{"items":"batches","by":"page","from":"page"}},
    createBatches: {"method":"POST","path":"/api/v1/passports/{passportId}/batches","body":"application/json","once":true},
    getBatch: {"method":"GET","path":"/api/v1/batches/{id}","accept":"application/ld+json"},
    deleteBatch: {"method":"DELETE","path":"/api/v1/batches/{id}"},
    resolvePublicBatch: {"method":"GET","path":"/batch/{id}","accept":"application/ld+json","forms":"batch"},
    reportCompleteness: {"method":"GET","path":"/api/v1/passports/completeness","pages":{"items":"categories","by":"cursor","from":"nextCursor"}},
    getPassportCompleteness: {"method":"GET","path":"/api/v1/passports/{id}/completeness"},
    showConsoleHome: {"method":"GET","path":"/console","accept":"text/html, text/csv, application/x-ndjson, application/json, application/ld+json, application/pdf, application/zip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, image/png, image/webp, image/svg+xml"},
    getConsoleAsset: {"method":"GET","path":"/console/assets/{file}","accept":"text/css, text/javascript"},
    showConsoleSignIn: {"method":"GET","path":"/console/sign-in","accept":"text/html, text/csv, application/x-ndjson, application/json, application/ld+json, application/pdf, application/zip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, image/png, image/webp, image/svg+xml"},
    requestConsoleSignIn: {"method":"POST","path":"/console/sign-in","body":"application/x-www-form-urlencoded","accept":"text/html, text/csv, application/x-ndjson, application/json, application/ld+json, application/pdf, application/zip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, image/png, image/webp, image/svg+xml"},
    showConsoleLink: {"method":"GET","path":"/console/sign-in/{secret}","accept":"text/html, text/csv, application/x-ndjson, application/json, application/ld+json, application/pdf, application/zip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, image/png, image/webp, image/svg+xml"},
    useConsoleLink: {"method":"POST","path":"/console/sign-in/{secret}","body":"application/x-www-form-urlencoded","accept":"text/html, text/csv, application/x-ndjson, application/json, application/ld+json, application/pdf, application/zip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, image/png, image/webp, image/svg+xml"},
    showConsoleUpload: {"method":"GET","path":"/console/upload/{page}/{id}","accept":"text/html, text/csv, application/x-ndjson, application/json, application/ld+json, application/pdf, application/zip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, image/png, image/webp, image/svg+xml"},
    uploadToConsole: {"method":"POST","path":"/console/upload/{page}/{id}","body":"file","accept":"text/html, text/csv, application/x-ndjson, application/json, application/ld+json, application/pdf, application/zip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, image/png, image/webp, image/svg+xml"},
    showConsolePage: {"method":"GET","path":"/console/{page}","accept":"text/html, text/csv, application/x-ndjson, application/json, application/ld+json, application/pdf, application/zip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, image/png, image/webp, image/svg+xml"},
    sendConsolePage: {"method":"POST","path":"/console/{page}","body":"application/x-www-form-urlencoded","accept":"text/html, text/csv, application/x-ndjson, application/json, application/ld+json, application/pdf, application/zip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, image/png, image/webp, image/svg+xml"},
    showConsoleSubject: {"method":"GET","path":"/console/{page}/{id}","accept":"text/html, text/csv, application/x-ndjson, application/json, application/ld+json, application/pdf, application/zip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, image/png, image/webp, image/svg+xml"},
    sendConsoleSubject: {"method":"POST","path":"/console/{page}/{id}","body":"application/x-www-form-urlencoded","accept":"text/html, text/csv, application/x-ndjson, application/json, application/ld+json, application/pdf, application/zip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, image/png, image/webp, image/svg+xml"},
    showConsolePart: {"method":"GET","path":"/console/{page}/{id}/{part}","accept":"text/html, text/csv, application/x-ndjson, application/json, application/ld+json, application/pdf, application/zip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, image/png, image/webp, image/svg+xml"},
    sendConsolePart: {"method":"POST","path":"/console/{page}/{id}/{part}","body":"application/x-www-form-urlencoded","accept":"text/html, text/csv, application/x-ndjson, application/json, application/ld+json, application/pdf, application/zip, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, image/png, image/webp, image/svg+xml"},
    createDpp: {"method":"POST","path":"/v1/dpps","body":"application/json","once":true},
    readDppById: {"method":"GET","path":"/v1/dpps/{dppId}"},
    updateDppById: {"method":"PATCH","path":"/v1/dpps/{dppId}","body":"application/json"},
    deleteDppById: {"method":"DELETE","path":"/v1/dpps/{dppId}"},
    readDppByProductId: {"method":"GET","path":"/v1/dppsByProductId/{productId}"},
    readDppVersionByIdAndDate: {"method":"GET","path":"/v1/dppsByIdAndDate/{dppId}"},
    readDppVersionByProductIdAndDate: {"method":"GET","path":"/v1/dppsByProductIdAndDate/{productId}"},
    readDppIdsByProductIds: {"method":"POST","path":"/v1/dppsByProductIds","body":"application/json"},
    readDataElement: {"method":"GET","path":"/v1/dpps/{dppId}/elements/{elementIdPath}"},
    updateDataElement: {"method":"PATCH","path":"/v1/dpps/{dppId}/elements/{elementIdPath}","body":"application/json"},
    readDataElementCollection: {"method":"GET","path":"/v1/dpps/{dppId}/collections/{elementId}"},
    registerProductDpp: {"method":"POST","path":"/v1/registerDPP"},
    getFrontPage: {"method":"GET","path":"/","accept":"text/html"},
    getServiceWorker: {"method":"GET","path":"/sw.js","accept":"text/javascript"},
    getCodeReader: {"method":"GET","path":"/code-reader/{file}","accept":"text/javascript"},
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
    listPassportLinks: {"method":"GET","path":"/api/v1/passports/{id}/links"},
    linkPassport: {"method":"POST","path":"/api/v1/passports/{id}/links","body":"application/json"},
    deletePassportLink: {"method":"DELETE","path":"/api/v1/links/{id}"},
    acceptPassportLink: {"method":"POST","path":"/api/v1/links/{id}/accept"},
    declinePassportLink: {"method":"POST","path":"/api/v1/links/{id}/decline"},
    offerUnitHandover: {"method":"POST","path":"/api/v1/units/{id}/handover","body":"application/json"},
    offerPassportHandover: {"method":"POST","path":"/api/v1/passports/{id}/handover","body":"application/json"},
    acceptHandover: {"method":"POST","path":"/api/v1/handovers/accept","body":"application/json"},
    withdrawHandover: {"method":"DELETE","path":"/api/v1/handovers/{id}"},
    listPassportMedia: {"method":"GET","path":"/api/v1/passports/{id}/media"},
    arrangePassportMedia: {"method":"PUT","path":"/api/v1/passports/{id}/media","body":"application/json"},
    uploadPassportMedia: {"method":"POST","path":"/api/v1/passports/{id}/media","body":"file"},
    deletePassportMedia: {"method":"DELETE","path":"/api/v1/passports/{id}/media/{mediaId}"},
    getMediaFile: {"method":"GET","path":"/media/{id}/{file}","accept":"image/webp, application/pdf"},
    listNotifications: {"method":"GET","path":"/api/v1/notifications","pages":{"items":"notifications","by":"before","from":"next"}},
    readNotification: {"method":"POST","path":"/api/v1/notifications/{id}/read"},
    getApiReference: {"method":"GET","path":"/docs","headers":["Accept-Encoding"],"accept":"text/html"},
    getApiReferencePage: {"method":"GET","path":"/docs/{page}","headers":["Accept-Encoding"],"accept":"text/html"},
    getApiReferenceSchema: {"method":"GET","path":"/docs/schemas/{name}","headers":["Accept-Encoding"],"accept":"text/html"},
    getPassportRegistration: {"method":"GET","path":"/api/v1/passports/{id}/registration"},
    registerPassport: {"method":"POST","path":"/api/v1/passports/{id}/registration"},
    getUnitRegistration: {"method":"GET","path":"/api/v1/units/{id}/registration"},
    registerUnit: {"method":"POST","path":"/api/v1/units/{id}/registration"},
    exportRegistryEntries: {"method":"GET","path":"/api/v1/registry-entries","accept":"application/json, application/xml"},
    getRegistrationProof: {"method":"GET","path":"/passport/{id}/registration-proof","accept":"application/pdf, application/xml, application/json"},
    getUnitRegistrationProof: {"method":"GET","path":"/unit/{id}/registration-proof","accept":"application/pdf, application/xml, application/json"},
    getPassportStatistics: {"method":"GET","path":"/api/v1/passports/{id}/statistics"},
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
    getVerifyPage: {"method":"GET","path":"/verify","accept":"text/html"},
} as const

/** What each operation is for, as editors show it. */
export interface Summaries {
    /** List passports */
    readonly listPassports: unknown
    /** Create a passport or draft */
    readonly createPassport: unknown
    /** Validate a passport */
    readonly validatePassport: unknown
    /** Validate a passport without permissions */
    readonly validatePassportPublic: unknown
    /** Ingest up to 200 passports */
    readonly bulkIngestPassports: unknown
    /** Ingest an AAS environment */
    readonly ingestPassportFromAas: unknown
    /** Report credential readiness */
    readonly passportVcReadinessReport: unknown
    /** Read a passport */
    readonly getPassport: unknown
    /** Update a passport */
    readonly updatePassport: unknown
    /** Delete a draft */
    readonly deleteDraftPassport: unknown
    /** Seal a passport */
    readonly sealPassport: unknown
    /** List versions of a passport */
    readonly getPassportHistory: unknown
    /** Revise and re-seal a passport */
    readonly revisePassport: unknown
    /** Draw the passport's data carrier */
    readonly getPassportQr: unknown
    /** Set the status of a passport */
    readonly updatePassportStatus: unknown
    /** Draw a unit's data carrier */
    readonly getUnitQr: unknown
    /** List operators */
    readonly listOperators: unknown
    /** Register an operator */
    readonly registerOperator: unknown
    /** Read an operator */
    readonly getOperator: unknown
    /** Update an operator */
    readonly updateOperator: unknown
    /** Delete or archive an operator */
    readonly deleteOperator: unknown
    /** Restore an archived operator */
    readonly restoreOperator: unknown
    /** List facilities */
    readonly listFacilities: unknown
    /** Register a manufacturing facility */
    readonly registerFacility: unknown
    /** Read a facility */
    readonly getFacility: unknown
    /** Update a facility */
    readonly updateFacility: unknown
    /** Delete a facility */
    readonly deleteFacility: unknown
    /** List units of a passport */
    readonly listBatteryUnits: unknown
    /** Serialise up to 200 units */
    readonly serializeBatteryUnits: unknown
    /** Validate battery units */
    readonly validateBatteryUnits: unknown
    /** Read a battery unit */
    readonly getBatteryUnit: unknown
    /** Delete a battery unit */
    readonly deleteBatteryUnit: unknown
    /** List events of a unit */
    readonly listBatteryUnitEvents: unknown
    /** Record an event */
    readonly recordBatteryUnitEvent: unknown
    /** Record up to 1,000 events */
    readonly recordBatteryUnitEvents: unknown
    /** List grants and pending requests */
    readonly listGrants: unknown
    /** Issue a legitimate-interest grant */
    readonly issueGrant: unknown
    /** Get a grant or pending request */
    readonly getGrant: unknown
    /** Revoke a grant */
    readonly revokeGrant: unknown
    /** Approve a grant request */
    readonly approveGrant: unknown
    /** Renew a grant */
    readonly renewGrant: unknown
    /** Deny a grant request */
    readonly denyGrant: unknown
    /** List webhook subscriptions */
    readonly listWebhookSubscriptions: unknown
    /** Create a webhook subscription */
    readonly createWebhookSubscription: unknown
    /** Update a webhook subscription */
    readonly updateWebhookSubscription: unknown
    /** Delete a webhook subscription */
    readonly deleteWebhookSubscription: unknown
    /** Rotate a signing secret */
    readonly rotateWebhookSecret: unknown
    /** Send a test event */
    readonly testWebhookSubscription: unknown
    /** List webhook deliveries */
    readonly listWebhookDeliveries: unknown
    /** Replay a webhook delivery */
    readonly replayWebhookDelivery: unknown
    /** Show the access request form */
    readonly showAccessRequest: unknown
    /** Request access to restricted values */
    readonly requestAccess: unknown
    /** Show an access request's status */
    readonly showAccessRequestStatus: unknown
    /** Rotate the seal key */
    readonly rotateTenantKeys: unknown
    /** List audit entries */
    readonly listAuditLog: unknown
    /** Verify a seal */
    readonly verifySeal: unknown
    /** Download the seal CA certificates */
    readonly getSealCa: unknown
    /** Download a revocation list */
    readonly getSealRevocationList: unknown
    /** Describe the GS1 resolver */
    readonly getResolverDescription: unknown
    /** Identify the caller */
    readonly whoami: unknown
    /** Resolve a passport */
    readonly resolvePublicPassport: unknown
    /** Resolve a GTIN link */
    readonly resolveGs1Gtin: unknown
    /** Redirect a serialised GTIN link */
    readonly resolveGs1GtinSerial: unknown
    /** Resolve a qualified GTIN link */
    readonly resolveGs1GtinQualifier: unknown
    /** Resolve a doubly qualified link */
    readonly resolveGs1GtinTwoQualifiers: unknown
    /** Resolve a fully qualified link */
    readonly resolveGs1GtinThreeQualifiers: unknown
    /** Resolve a GRAI link */
    readonly resolveGs1Grai: unknown
    /** Redirect a serialised GRAI link */
    readonly resolveGs1GraiSerial: unknown
    /** Resolve a battery unit */
    readonly resolvePublicBatteryUnit: unknown
    /** Resolve a passport credential */
    readonly resolveCredential: unknown
    /** Resolve a unit credential */
    readonly resolveUnitCredential: unknown
    /** Resolve a workspace DID */
    readonly getDidDocument: unknown
    /** Download a Bitstring Status List */
    readonly getStatusList: unknown
    /** Download a Token Status List */
    readonly getTokenStatusList: unknown
    /** Read JWT VC issuer metadata */
    readonly getJwtVcIssuer: unknown
    /** Read the SD-JWT VC type */
    readonly getCredentialType: unknown
    /** Read the JSON-LD context */
    readonly getContext: unknown
    /** Read the vocabulary */
    readonly getVocabulary: unknown
    /** List materials */
    readonly listMaterials: unknown
    /** Read a JSON Schema */
    readonly getCategorySchema: unknown
    /** Read the contract as JSON */
    readonly getOpenapiJson: unknown
    /** Read the contract as YAML */
    readonly getOpenapiYaml: unknown
    /** Read the version */
    readonly getVersion: unknown
    /** Check health */
    readonly getHealth: unknown
    /** Check readiness */
    readonly getReady: unknown
    /** List batches of a passport */
    readonly listBatches: unknown
    /** Record up to 200 batches */
    readonly createBatches: unknown
    /** Read a batch */
    readonly getBatch: unknown
    /** Delete a batch */
    readonly deleteBatch: unknown
    /** Resolve a batch */
    readonly resolvePublicBatch: unknown
    /** Report completeness of the catalogue */
    readonly reportCompleteness: unknown
    /** Report completeness of a passport */
    readonly getPassportCompleteness: unknown
    /** Show the console */
    readonly showConsoleHome: unknown
    /** Load the style sheet or script */
    readonly getConsoleAsset: unknown
    /** Show the sign-in page */
    readonly showConsoleSignIn: unknown
    /** Request a sign-in link */
    readonly requestConsoleSignIn: unknown
    /** Show the button of a sign-in link */
    readonly showConsoleLink: unknown
    /** Sign in by link */
    readonly useConsoleLink: unknown
    /** Return to a form with a file */
    readonly showConsoleUpload: unknown
    /** Submit a console form with a file */
    readonly uploadToConsole: unknown
    /** Show a console page */
    readonly showConsolePage: unknown
    /** Submit a console form */
    readonly sendConsolePage: unknown
    /** Show a console subject */
    readonly showConsoleSubject: unknown
    /** Submit a form about a subject */
    readonly sendConsoleSubject: unknown
    /** Show a part of a console subject */
    readonly showConsolePart: unknown
    /** Submit a form about a part of a subject */
    readonly sendConsolePart: unknown
    /** Create a passport */
    readonly createDpp: unknown
    /** Read a passport */
    readonly readDppById: unknown
    /** Update a passport */
    readonly updateDppById: unknown
    /** Delete a draft */
    readonly deleteDppById: unknown
    /** Read the passport of a product */
    readonly readDppByProductId: unknown
    /** Read a passport as of a time */
    readonly readDppVersionByIdAndDate: unknown
    /** Read the passport of a product as of a time */
    readonly readDppVersionByProductIdAndDate: unknown
    /** Find passports of products */
    readonly readDppIdsByProductIds: unknown
    /** Read an element of a passport */
    readonly readDataElement: unknown
    /** Update an element of a passport */
    readonly updateDataElement: unknown
    /** Read an element at the top of a passport */
    readonly readDataElementCollection: unknown
    /** Register a passport */
    readonly registerProductDpp: unknown
    /** Show the front page */
    readonly getFrontPage: unknown
    /** Load the offline script */
    readonly getServiceWorker: unknown
    /** Load the code reader */
    readonly getCodeReader: unknown
    /** List imports */
    readonly listImports: unknown
    /** Import passports from a file */
    readonly importPassports: unknown
    /** Read an import */
    readonly getImport: unknown
    /** Download rejected rows */
    readonly getImportErrors: unknown
    /** Download an import template */
    readonly getImportTemplate: unknown
    /** Export passports to a file */
    readonly exportPassports: unknown
    /** Print labels of passports */
    readonly printPassportLabels: unknown
    /** Print labels of battery units */
    readonly printUnitLabels: unknown
    /** Read a label job */
    readonly getLabelJob: unknown
    /** Download labels of a job */
    readonly downloadLabels: unknown
    /** List links of a passport */
    readonly listPassportLinks: unknown
    /** Link two passports */
    readonly linkPassport: unknown
    /** Remove a link */
    readonly deletePassportLink: unknown
    /** Accept a link */
    readonly acceptPassportLink: unknown
    /** Decline a link */
    readonly declinePassportLink: unknown
    /** Offer a battery unit */
    readonly offerUnitHandover: unknown
    /** Offer a passport */
    readonly offerPassportHandover: unknown
    /** Accept an offer */
    readonly acceptHandover: unknown
    /** Withdraw an offer */
    readonly withdrawHandover: unknown
    /** List media of a passport */
    readonly listPassportMedia: unknown
    /** Reorder and retitle media */
    readonly arrangePassportMedia: unknown
    /** Upload a picture or document */
    readonly uploadPassportMedia: unknown
    /** Delete a picture or document */
    readonly deletePassportMedia: unknown
    /** Download a picture or document */
    readonly getMediaFile: unknown
    /** List notifications */
    readonly listNotifications: unknown
    /** Mark a notification as read */
    readonly readNotification: unknown
    /** Show the API reference */
    readonly getApiReference: unknown
    /** Show a reference page */
    readonly getApiReferencePage: unknown
    /** Show a schema */
    readonly getApiReferenceSchema: unknown
    /** Preview a passport's registration */
    readonly getPassportRegistration: unknown
    /** Register a passport */
    readonly registerPassport: unknown
    /** Preview a unit's registration */
    readonly getUnitRegistration: unknown
    /** Register a battery unit */
    readonly registerUnit: unknown
    /** Export registry entries */
    readonly exportRegistryEntries: unknown
    /** Download a passport's registration proof */
    readonly getRegistrationProof: unknown
    /** Download a unit's registration proof */
    readonly getUnitRegistrationProof: unknown
    /** Count resolutions per day */
    readonly getPassportStatistics: unknown
    /** Query EPCIS events */
    readonly queryTraceEvents: unknown
    /** Store supply chain events */
    readonly captureTraceEvents: unknown
    /** List captures */
    readonly listTraceCaptures: unknown
    /** Capture a large EPCIS document */
    readonly captureTraceDocument: unknown
    /** Read a capture */
    readonly getTraceCapture: unknown
    /** Read an event */
    readonly getTraceEvent: unknown
    /** Trace the lineage of an event */
    readonly getEventLineage: unknown
    /** Screen a lineage */
    readonly screenEventLineage: unknown
    /** Preview a product's journey */
    readonly getPassportJourney: unknown
    /** Publish a product's journey */
    readonly publishPassportJourney: unknown
    /** Unpublish a product's journey */
    readonly withdrawPassportJourney: unknown
    /** Show the verification page */
    readonly getVerifyPage: unknown
}
