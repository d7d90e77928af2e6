// Made of openapi.yaml by `dpp plugin types`.

export interface paths {
    readonly "/api/v1/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Query EPCIS events
         * @description EPCIS 2.0 query language, in order of capture. Separate values of a parameter by `|` or commas; an event must match every parameter. Identifiers are EPC URNs or GS1 Digital Links. Other parameters of the query language are rejected (400).
         */
        readonly get: operations["queryTraceEvents"];
        readonly put?: never;
        /**
         * Store supply chain events
         * @description Accepts an EPCIS 2.0 event, an EPCISDocument of up to 1,000 events, or a UNTP traceability credential, detected by structure. All events are stored or none; `errors` lists every error. An event with a stored EPCIS event hash returns the stored event. Credential proofs are verified with the keys of this gateway's workspaces; a credential without proof is stored, but is not `untpVerified`. Requires a key of the whole workspace.
         */
        readonly post: operations["captureTraceEvents"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/capture": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List captures
         * @description Newest first. The last 100 finished captures are retained for one week. Requires a key of the whole workspace.
         */
        readonly get: operations["listTraceCaptures"];
        readonly put?: never;
        /**
         * Capture a large EPCIS document
         * @description EPCISDocument of up to 10,000 events. The envelope is validated immediately, the events after the response, by the rules of `captureTraceEvents`; all are stored, or none. `Location` is the capture. Stored events are not stored again, so a document may be repeated. At most four captures per workspace may wait. Requires a key of the whole workspace.
         */
        readonly post: operations["captureTraceDocument"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/capture/{captureID}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Capture UUID. */
                readonly captureID: string;
            };
            readonly cookie?: never;
        };
        /**
         * Read a capture
         * @description While `running`, `judgedCount` is the progress. Without `success` nothing was stored, and `errors` lists up to 100 errors. Requires a key of the whole workspace.
         */
        readonly get: operations["getTraceCapture"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/events/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Event UUID. */
                readonly id: components["parameters"]["traceEventId"];
            };
            readonly cookie?: never;
        };
        /**
         * Read an event
         * @description EPCIS 2.0 as captured, with its `eventID` in this gateway. Requires a key of the whole workspace.
         */
        readonly get: operations["getTraceEvent"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/events/{id}/lineage": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Event UUID. */
                readonly id: components["parameters"]["traceEventId"];
            };
            readonly cookie?: never;
        };
        /**
         * Trace the lineage of an event
         * @description Tree, or EPCISDocument with `Accept: application/ld+json` (chronological, at most 500 events). A parent has an output that the event has as input, and is not later. At most 32 levels and 1,000 events; `truncated` marks more. A shared ancestor is expanded once.
         */
        readonly get: operations["getEventLineage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/events/{id}/audit": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Event UUID. */
                readonly id: components["parameters"]["traceEventId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Screen a lineage
         * @description Compares places with published lists. Each match has event, place, reason, and the list with source and date. Events without comparable places are `notScreened`. No match is not a statement of legal compliance.
         */
        readonly post: operations["screenEventLineage"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/passports/{id}/journey": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Passport UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        /**
         * Preview a product's journey
         * @description Current journey from stored events, starting at the newest event with the product, a lot or an item of it as output, and the published one. Requires a key of the whole workspace.
         */
        readonly get: operations["getPassportJourney"];
        /**
         * Publish a product's journey
         * @description Publishes the journey of the current events on the product page; unchanged until published again. Place names come from `places`, else from the facility with the GLN.
         */
        readonly put: operations["publishPassportJourney"];
        readonly post?: never;
        /**
         * Unpublish a product's journey
         * @description The events stay. Requires a key of the whole workspace.
         */
        readonly delete: operations["withdrawPassportJourney"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Page of EPCIS 2.0 query results. */
        readonly EpcisQueryDocument: {
            /** @description Contexts of all events. */
            readonly "@context": readonly (string | {
                readonly [key: string]: unknown;
            })[];
            /**
             * @description Constant.
             * @constant
             */
            readonly type: "EPCISQueryDocument";
            /**
             * @description Constant.
             * @constant
             */
            readonly schemaVersion: "2.0";
            /**
             * Format: date-time
             * @description Creation time.
             */
            readonly creationDate: string;
            /** @description Query response. */
            readonly epcisBody: {
                /** @description Query results. */
                readonly queryResults: {
                    /**
                     * @description Constant.
                     * @constant
                     */
                    readonly queryName: "SimpleEventQuery";
                    /** @description Events. */
                    readonly resultsBody: {
                        /** @description In order of capture. */
                        readonly eventList: readonly components["schemas"]["BareEpcisEvent"][];
                    };
                };
            };
        };
        /** @description Event in a document, whose `@context` it shares. */
        readonly BareEpcisEvent: {
            readonly type: components["schemas"]["TraceEventType"];
            /** @description Original `eventID`; default: the EPCIS event hash. */
            readonly eventID: string;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description EPCIS 2.0 event type.
         * @enum {string}
         */
        readonly TraceEventType: "ObjectEvent" | "AggregationEvent" | "AssociationEvent" | "TransactionEvent" | "TransformationEvent";
        /** @description Default error format. */
        readonly StandardError: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: false;
            /** @description HTTP reason phrase, or the failed operation. */
            readonly error: string;
            /** @description Human-readable; may change. */
            readonly message: string;
            readonly code?: components["schemas"]["ErrorCode"];
            /** @description Log reference of an internal error. */
            readonly requestId?: string;
            /** @description Passport quota (`passport_quota_exceeded`) or storage quota (`STORAGE_LIMIT_REACHED`). */
            readonly quota?: components["schemas"]["PassportQuota"] | components["schemas"]["StorageQuota"];
            /**
             * Format: uri
             * @description URL for an upgrade of the plan.
             */
            readonly upgradeUrl?: string;
            /** @description Existing passport (`PASSPORT_DUPLICATE`). */
            readonly existing?: {
                /**
                 * Format: uuid
                 * @description Passport UUID, for `PUT /api/v1/passports/{id}`.
                 */
                readonly id: string;
                /**
                 * Format: uri
                 * @description Public URL.
                 */
                readonly url: string;
            };
        };
        /**
         * @description Reason for the rejection. Codes never change their meaning; new ones may be added. `Link` with `rel="help"` is
         *     the explanation.
         *
         *     - `api_access_required` (402): plan without API access.
         *     - `passport_quota_exceeded` (402): plan limit of published passports reached.
         *     - `STORAGE_LIMIT_REACHED` (402): plan limit of storage reached.
         *     - `WORKSPACE_SUSPENDED` (403): the workspace is suspended; all its credentials are rejected.
         *     - `OPERATOR_SCOPE_FORBIDDEN` (403): the key is scoped to another operator, or may not be operator-scoped.
         *     - `OPERATOR_NOT_BOUND` (400 if the workspace has no operator, 403 for another operator): the workspace may not act for it.
         *     - `OPERATOR_AMBIGUOUS` (400): several operators have a passport for this product; use its UUID.
         *     - `FACILITY_NOT_FOUND` (400): facility not found in the workspace.
         *     - `FACILITY_DUPLICATE` (409): GLN already registered.
         *     - `GLN_CHECK_DIGIT_INVALID` (400): the check digit of the GLN is wrong.
         *     - `GTIN_CHECK_DIGIT_INVALID` (400): fourteen digits, but not a valid GTIN.
         *     - `GS1_KEY_INVALID` (400): key rejected by the GS1 engine.
         *     - `GTIN_PREFIX_CLAIMED` (409): the GS1 company prefix belongs to another workspace; for passports, units and batches.
         *     - `PASSPORT_DUPLICATE` (409): a passport of this product and operator exists.
         *     - `PASSPORT_IS_DRAFT` (409): a draft has no status to change.
         *     - `PASSPORT_PUBLISHED` (409): only drafts can be deleted.
         *     - `REGISTRATION_CHECKS_FAILED` (409): the registry would reject the passport.
         *     - `REGISTRY_NOT_CONFIGURED` (409): the gateway has no registry configured.
         *     - `PASSPORT_SEALED_IMMUTABLE` (403): a sealed passport cannot be edited.
         *     - `PASSPORT_NOT_SEALED` (409): only sealed passports can be revised; update this one.
         *     - `PASSPORT_RETAINED` (409): under retention, until a date or until the last unit is recycled.
         *     - `LEVEL_FIXED` (409): the level of a published passport cannot change, and only a model has batches.
         *     - `BATCH_IN_USE` (409): units reference the batch.
         *     - `PASSPORT_NOT_OWNED` (403): only the workspace that issued a passport may seal it.
         *     - `VERSION_CHANGED` (412): the current version does not match `If-Match`.
         *     - `PASSPORT_BUSY` (409): edited during sealing.
         *     - `RESERVED_KEY` (400): metadata keys must not begin with `@`.
         *     - `SIGNING_KEY_MISSING` (400): no signing key in the workspace.
         *     - `KEY_LIMIT_REACHED` (409): maximum number of keys reached.
         *     - `CAPTURE_LIMIT_REACHED` (409): maximum number of unfinished captures reached.
         *     - `LABEL_JOB_LIMIT_REACHED` (409): maximum number of unfinished label jobs reached.
         *     - `IMPORT_LIMIT_REACHED` (409): maximum number of unfinished imports reached.
         *     - `MEDIA_REFUSED` (400): unsupported, damaged, animated or oversized file.
         *     - `MEDIA_TYPE_MISMATCH` (415): the content differs from the declared type.
         *     - `MEDIA_LIMIT_REACHED` (409): maximum number of pictures or documents reached.
         *     - `MEDIA_IN_USE` (409): the document is listed in a published version.
         *     - `AUDIENCE_MISSING` (400): missing or invalid audience of a document with a type.
         *     - `LINK_TARGET_DRAFT` (409): drafts cannot be linked or transferred.
         *     - `LINK_CIRCLE` (409): the link would create a cycle.
         *     - `LINK_EXISTS` (409): link exists or is pending.
         *     - `LINK_LIMIT_REACHED` (409): maximum number of links or link requests reached.
         *     - `LINK_DECIDED` (409): link already accepted.
         *     - `NO_JOURNEY` (409): no stored event has the product as output.
         *     - `HANDOVER_INVALID` (404): no offer has this code.
         *     - `HANDOVER_CLOSED` (409): offer accepted, withdrawn or expired.
         *     - `HANDOVER_NOT_MEANT` (403): the offer is for another workspace or operator, or is the workspace's own.
         *     - `UNIT_CEASED` (409): the battery has been recycled.
         *     - `UNIT_DUPLICATE` (409): serial number already used in this passport.
         *     - `NOT_GS1` (400): a GS1 DataMatrix requires GS1 keys.
         *     - `WEBHOOK_URL_REJECTED` (400): events cannot be sent to this URL.
         *     - `WEBHOOK_LIMIT_REACHED` (409): maximum number of subscriptions reached.
         *     - `WEBHOOK_NOT_FOUND` (404): subscription or delivery not found in the workspace.
         * @enum {string}
         */
        readonly ErrorCode: "api_access_required" | "passport_quota_exceeded" | "STORAGE_LIMIT_REACHED" | "WORKSPACE_SUSPENDED" | "OPERATOR_SCOPE_FORBIDDEN" | "OPERATOR_NOT_BOUND" | "OPERATOR_AMBIGUOUS" | "FACILITY_NOT_FOUND" | "FACILITY_DUPLICATE" | "GLN_CHECK_DIGIT_INVALID" | "GTIN_CHECK_DIGIT_INVALID" | "GS1_KEY_INVALID" | "GTIN_PREFIX_CLAIMED" | "PASSPORT_DUPLICATE" | "PASSPORT_IS_DRAFT" | "PASSPORT_PUBLISHED" | "REGISTRATION_CHECKS_FAILED" | "REGISTRY_NOT_CONFIGURED" | "PASSPORT_SEALED_IMMUTABLE" | "PASSPORT_NOT_SEALED" | "PASSPORT_RETAINED" | "LEVEL_FIXED" | "BATCH_IN_USE" | "PASSPORT_NOT_OWNED" | "VERSION_CHANGED" | "PASSPORT_BUSY" | "RESERVED_KEY" | "SIGNING_KEY_MISSING" | "KEY_LIMIT_REACHED" | "CAPTURE_LIMIT_REACHED" | "IMPORT_LIMIT_REACHED" | "LABEL_JOB_LIMIT_REACHED" | "MEDIA_REFUSED" | "MEDIA_TYPE_MISMATCH" | "MEDIA_LIMIT_REACHED" | "MEDIA_IN_USE" | "AUDIENCE_MISSING" | "LINK_TARGET_DRAFT" | "LINK_CIRCLE" | "LINK_EXISTS" | "LINK_LIMIT_REACHED" | "LINK_DECIDED" | "NO_JOURNEY" | "HANDOVER_INVALID" | "HANDOVER_CLOSED" | "HANDOVER_NOT_MEANT" | "UNIT_CEASED" | "UNIT_DUPLICATE" | "NOT_GS1" | "WEBHOOK_URL_REJECTED" | "WEBHOOK_LIMIT_REACHED" | "WEBHOOK_NOT_FOUND";
        /** @description Usage and limit of published passports. */
        readonly PassportQuota: {
            /** @description Plan. */
            readonly tier: string;
            /** @description Published passports. */
            readonly activePassports: number;
            /** @description Maximum. */
            readonly passportLimit: number;
        };
        /** @description Usage and limit of storage. */
        readonly StorageQuota: {
            /** @description Plan. */
            readonly tier: string;
            /** @description Bytes of metadata and its history, enrichment, seals, master data, grants, and units with their events. */
            readonly storedBytes: number;
            /** @description Maximum bytes; null if unlimited. */
            readonly storageLimit: number | null;
            /** @description Passports (with drafts and archived ones), operators, facilities, grants and units. */
            readonly storedRows: number;
            /** @description Maximum rows; null if unlimited. */
            readonly rowLimit: number | null;
        };
        /** @description Format of requests that violate this document, and of limits. */
        readonly FrameworkError: {
            /** @description HTTP status. */
            readonly statusCode: number;
            readonly code?: components["schemas"]["FrameworkCode"];
            /** @description HTTP reason phrase. */
            readonly error: string;
            /** @description Human-readable; may change. */
            readonly message: string;
        };
        /**
         * @description Reason for a rejection before the operation runs.
         *
         *     - `FW_ERR_VALIDATION` (400, 415): the request violates this document.
         *     - `FW_ERR_CTP_INVALID_JSON_BODY` (400): the body is not valid JSON.
         *     - `FW_ERR_CTP_BODY_TOO_LARGE` (413): the body exceeds the limit.
         *     - `FW_ERR_RATE_LIMIT` (429): the rate limit is exceeded.
         * @enum {string}
         */
        readonly FrameworkCode: "FW_ERR_VALIDATION" | "FW_ERR_CTP_INVALID_JSON_BODY" | "FW_ERR_CTP_BODY_TOO_LARGE" | "FW_ERR_RATE_LIMIT";
        /** @description EPCIS 2.0 event, EPCISDocument, or UNTP traceability credential. Every error describes the expected structure. */
        readonly TraceCapture: {
            /** @description EPCIS or credential context. */
            readonly "@context"?: string | Record<string, never> | readonly unknown[];
            /** @description Event or document type, or credential types. */
            readonly type?: string | readonly unknown[];
            /** @description Documents: contains `eventList`. */
            readonly epcisBody?: Record<string, never>;
            /** @description Credentials: events. */
            readonly credentialSubject?: Record<string, never> | readonly unknown[];
            /** @description Credentials: `DataIntegrityProof` with `ecdsa-jcs-2019`. */
            readonly proof?: Record<string, never> | readonly unknown[];
        } & {
            readonly [key: string]: unknown;
        };
        /** @description Ids of the stored events. */
        readonly TraceCaptured: {
            /**
             * @description Constant.
             * @constant
             */
            readonly status: "success";
            /**
             * Format: uuid
             * @description First event.
             */
            readonly eventId: string;
            /** @description True for a credential with a proof by a key of this gateway. */
            readonly untpVerified: boolean;
            /** @description All events, in order. */
            readonly eventIds: readonly string[];
        };
        /** @description Format of findings about metadata. */
        readonly ValidationFailed: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: false;
            /**
             * @description Constant.
             * @constant
             */
            readonly error: "Validation Failed";
            /** @description Human-readable; may change. */
            readonly message: string;
            /** @description Category of the applied rules. */
            readonly category?: string;
            /** @description All errors. */
            readonly errors: readonly components["schemas"]["Finding"][];
            /** @description Advisories; validation still passes. */
            readonly warnings?: readonly components["schemas"]["Advisory"][];
        };
        /** @description Metadata error. */
        readonly Finding: {
            /** @description Metadata path, such as `materialComposition[0].percentage`. */
            readonly path: string;
            /** @description English text. */
            readonly message: string;
            /** @description Text in the caller's language; absent for errors about the category. */
            readonly friendlyMessage?: string;
        };
        /** @description Non-blocking remark. */
        readonly Advisory: {
            readonly code: components["schemas"]["AdvisoryCode"];
            /** @description Member concerned. */
            readonly path?: string;
            /** @description English text. */
            readonly message: string;
            /** @description Text in the caller's language. */
            readonly friendlyMessage: string;
        };
        /**
         * @description New codes may be added. `NON_GS1_PRODUCT_ID`: the product id is a SKU, not resolvable by scanners. `PRODUCT_ID_SERVED_ELSEWHERE`: another workspace serves the GTIN or GRAI, and its passport may be returned. `PII_SHAPE_DETECTED`: a metadata key or value looks like personal data. `UNIT_NO_SCANNABLE_LINK`: the product has no GTIN, so its unit links are not resolvable by scanners. `DRAFT_DEMOTED`: a published passport became a draft. `EORI_NOT_FOUND`: number unknown to the EORI register. `OPERATOR_AUTO_ATTRIBUTED`: the first operator of the workspace was used. `GTIN_AUTO_COPIED`: the product id was copied into the metadata. `UNKNOWN_MEMBER`: unknown member of the body, ignored. Only if nothing is stored: `UNKNOWN_KEY`: key not described by any category, but stored; at most 20 are listed. `GTIN_NEEDS_PADDING`: the product id is a GTIN of 8, 12 or 13 digits without leading zeros.
         * @enum {string}
         */
        readonly AdvisoryCode: "NON_GS1_PRODUCT_ID" | "PRODUCT_ID_SERVED_ELSEWHERE" | "PII_SHAPE_DETECTED" | "UNIT_NO_SCANNABLE_LINK" | "DRAFT_DEMOTED" | "EORI_NOT_FOUND" | "OPERATOR_AUTO_ATTRIBUTED" | "GTIN_AUTO_COPIED" | "UNKNOWN_KEY" | "GTIN_NEEDS_PADDING" | "UNKNOWN_MEMBER";
        /** @description Captures, newest first. */
        readonly CaptureJobs: readonly components["schemas"]["CaptureJob"][];
        /** @description EPCIS 2.0 capture job (12.6) with event counts. */
        readonly CaptureJob: {
            /**
             * Format: uuid
             * @description Capture UUID.
             */
            readonly captureID: string;
            /**
             * Format: date-time
             * @description Upload time.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Completion time; absent while running.
             */
            readonly finishedAt?: string;
            /** @description True while waiting or in progress. */
            readonly running: boolean;
            /** @description While running: no error yet; then: everything stored. */
            readonly success: boolean;
            /**
             * @description Constant: all events are stored, or none.
             * @constant
             */
            readonly captureErrorBehaviour: "rollback";
            /** @description Errors. */
            readonly errors: readonly components["schemas"]["CaptureError"][];
            /** @description Events in the document. */
            readonly eventCount: number;
            /** @description Validated events. */
            readonly judgedCount: number;
        };
        /** @description Error as Problem Details (RFC 9457). */
        readonly CaptureError: {
            /**
             * @description `epcisException:ValidationException`: error at the location; `epcisException:CaptureLimitExceededException`: workspace limit reached; `epcisException:ImplementationException`: internal error, retry.
             * @enum {string}
             */
            readonly type: "epcisException:ValidationException" | "epcisException:CaptureLimitExceededException" | "epcisException:ImplementationException";
            /** @description Error code. */
            readonly title: string;
            /** @description JSON Pointer and remedy. */
            readonly detail: string;
        };
        /** @description EPCISDocument. Every error describes the expected structure. */
        readonly CaptureDocument: {
            /** @description EPCIS context and others. */
            readonly "@context"?: string | Record<string, never> | readonly unknown[];
            /** @description `EPCISDocument`. */
            readonly type?: string;
            /** @description Contains `eventList`. */
            readonly epcisBody?: Record<string, never>;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description EPCIS 2.0 event (JSON). */
        readonly EpcisEvent: {
            /** @description EPCIS context first. */
            readonly "@context": readonly (string | {
                readonly [key: string]: unknown;
            })[];
            readonly type: components["schemas"]["TraceEventType"];
            /** @description Original `eventID`; default: the EPCIS event hash. */
            readonly eventID: string;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description Lineage of an event. */
        readonly TraceLineage: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            readonly lineage: components["schemas"]["TraceNode"];
            /** @description True if there are more levels or events. */
            readonly truncated: boolean;
        };
        /** @description Event with its direct predecessors. */
        readonly TraceNode: {
            /**
             * Format: uuid
             * @description Event UUID.
             */
            readonly eventId: string;
            readonly eventType: components["schemas"]["TraceEventType"];
            /** @description Business step; CBV words in short form. */
            readonly bizStep: string | null;
            /** @description State of the items after the event. */
            readonly disposition: string | null;
            /**
             * Format: date-time
             * @description Event time.
             */
            readonly eventTime: string;
            /** @description Items, lots and classes, as GS1 Digital Link paths or URIs. */
            readonly epcs: readonly string[];
            /** @description Business location. */
            readonly location: string | null;
            /** @description Read point. */
            readonly readPoint: string | null;
            /** @description True for a credential with a verified proof. */
            readonly isUntpCompliant: boolean;
            /** @description Signer of the credential. */
            readonly issuerDid: string | null;
            /** @description Link to the following event: the same item, lot or class, or a shared transformation. */
            readonly via?: readonly ("instance" | "lot" | "class" | "transformation")[];
            /** @description True if its parents are listed at its first occurrence. */
            readonly isExpandedAbove?: boolean;
            /** @description Direct predecessors. */
            readonly parents: readonly components["schemas"]["TraceNode"][];
        };
        /** @description EPCIS 2.0 document. */
        readonly EpcisDocument: {
            /** @description Contexts of all events. */
            readonly "@context": readonly (string | {
                readonly [key: string]: unknown;
            })[];
            /**
             * @description Constant.
             * @constant
             */
            readonly type: "EPCISDocument";
            /**
             * @description Constant.
             * @constant
             */
            readonly schemaVersion: "2.0";
            /**
             * Format: date-time
             * @description Creation time.
             */
            readonly creationDate: string;
            /** @description Events. */
            readonly epcisBody: {
                /** @description In chronological order. */
                readonly eventList: readonly components["schemas"]["BareEpcisEvent"][];
            };
        };
        /** @description Matches of a lineage with named lists. */
        readonly TraceScreening: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            /**
             * Format: uuid
             * @description Event UUID.
             */
            readonly eventId: string;
            /** @description Places of events that are on a list. */
            readonly matches: readonly components["schemas"]["ScreeningMatch"][];
            /** @description Compared lists with their dates. */
            readonly screened: readonly components["schemas"]["ScreeningList"][];
            /** @description Places that could not be compared, with reasons. */
            readonly notScreened: readonly components["schemas"]["NotScreened"][];
            /** @description True if not all events were examined. */
            readonly truncated: boolean;
            /**
             * Format: date-time
             * @description Screening time.
             */
            readonly auditedAt: string;
        };
        /** @description Place of an event that is on a list. */
        readonly ScreeningMatch: {
            /**
             * Format: uuid
             * @description Event UUID, for `GET /api/v1/events/{id}`.
             */
            readonly id: string;
            /** @description `eventID` of the event. */
            readonly eventId: string;
            /** @description List id. */
            readonly list: string;
            /** @description Source of the list. */
            readonly source: string;
            /**
             * Format: date
             * @description Date of the list.
             */
            readonly date: string;
            /** @description JSON Pointer into the event. */
            readonly field: string;
            /** @description Matched value. */
            readonly value: string;
            /** @description Reason for the match. */
            readonly reason: string;
        };
        /** @description Screening list; not a complete account of any law. */
        readonly ScreeningList: {
            /** @description List id. */
            readonly id: string;
            /** @description List title. */
            readonly title: string;
            /** @description Related law. */
            readonly law: string;
            /** @description Source. */
            readonly source: string;
            /**
             * Format: date
             * @description Date of the source.
             */
            readonly date: string;
            /**
             * Format: date
             * @description Retrieval date; later changes of the source are not included.
             */
            readonly readOn: string;
            /** @description Limits of the list. */
            readonly note?: string;
        };
        /** @description Event that could not be compared with a list. */
        readonly NotScreened: {
            /**
             * Format: uuid
             * @description Event UUID, for `GET /api/v1/events/{id}`.
             */
            readonly id: string;
            /** @description `eventID` of the event. */
            readonly eventId: string;
            /** @description List id. */
            readonly list: string;
            /** @description JSON Pointers to unreadable fields. */
            readonly fields: readonly string[];
            /** @description Reason. */
            readonly reason: string;
        };
        /** @description Journey of a product. */
        readonly PassportJourney: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            /** @description Current journey; null if no event has the product as output. */
            readonly journey: components["schemas"]["Journey"] | null;
            /** @description Places without a name. */
            readonly unnamedPlaces: readonly string[];
            /** @description Published journey; null if unpublished. */
            readonly published: components["schemas"]["PublishedJourney"] | null;
        };
        /** @description Journey of a product. */
        readonly Journey: {
            /** @description In chronological order. */
            readonly steps: readonly components["schemas"]["JourneyStep"][];
            /** @description True if steps are omitted. */
            readonly isCut: boolean;
        };
        /** @description Step of a journey. */
        readonly JourneyStep: {
            /**
             * @description Stage of production.
             * @enum {string}
             */
            readonly stage: "origin" | "processing" | "making" | "packing" | "transport" | "inspection" | "sale" | "repair" | "other";
            /**
             * Format: date-time
             * @description Timestamp.
             */
            readonly time: string;
            /** @description Place; null if unknown. */
            readonly place: {
                /** @description Human-readable. */
                readonly name: string | null;
                /** @description ISO 3166-1 alpha-2. */
                readonly country: string | null;
                /** @description Value in the event. */
                readonly uri: string | null;
            };
            /** @description Positions of the preceding steps. */
            readonly from: readonly number[];
        };
        /** @description Published journey. */
        readonly PublishedJourney: {
            /** @description In chronological order. */
            readonly steps: readonly components["schemas"]["JourneyStep"][];
            /** @description True if steps are omitted. */
            readonly isCut: boolean;
            /** @description Audience; empty: public. */
            readonly audience: readonly ("legitimateInterest" | "authority")[];
            /**
             * Format: date-time
             * @description Publication time.
             */
            readonly publishedAt: string;
        };
        /** @description Audience of a published journey, and its place names. */
        readonly JourneyPublication: {
            /** @description Audience; default public. */
            readonly audience?: readonly ("legitimateInterest" | "authority")[];
            /** @description Place names. */
            readonly places?: readonly components["schemas"]["JourneyPlaceName"][];
        };
        /** @description Place name. */
        readonly JourneyPlaceName: {
            /** @description Value of `bizLocation` or `readPoint`. */
            readonly uri: string;
            /** @description Human-readable. */
            readonly name?: string;
            /** @description ISO 3166-1 alpha-2. */
            readonly country?: string;
        };
        /** @description Published journey. */
        readonly PublishedJourneyAnswer: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            readonly warnings?: components["schemas"]["MemberWarnings"];
            readonly published: components["schemas"]["PublishedJourney"];
        };
        /** @description `UNKNOWN_MEMBER`: unknown members of the body, ignored; absent if none. */
        readonly MemberWarnings: readonly components["schemas"]["Advisory"][];
        /** @description Success with a message. */
        readonly Done: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            /** @description Human-readable; may change. */
            readonly message: string;
        };
    };
    responses: {
        /** @description Invalid parameter. */
        readonly BadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"] | components["schemas"]["FrameworkError"];
            };
        };
        /** @description Credential missing, of another kind, or invalid, as stated in `message`. Never discloses if a key is unknown, revoked or expired. */
        readonly Unauthorized: {
            headers: {
                /** @description `Bearer`; with `error="invalid_token"` for an invalid credential. */
                readonly "WWW-Authenticate"?: string;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"];
            };
        };
        /** @description Permission missing, or credential out of scope. */
        readonly Forbidden: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"];
            };
        };
        /** @description Rate limit exceeded. Retry after `Retry-After` seconds. */
        readonly RateLimited: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FrameworkError"];
            };
        };
        /** @description Internal error. Details are only in the log, under the request id. */
        readonly ServerError: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"];
            };
        };
        /** @description Subscription lapsed, plan limit on passports or storage reached, or plan without API access. */
        readonly PaymentRequired: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"];
            };
        };
        /** @description Duplicate, or not allowed in the current state. */
        readonly Conflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"];
            };
        };
        /** @description Body exceeds the limit of the operation. */
        readonly TooLarge: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FrameworkError"];
            };
        };
        /** @description Content type is not JSON. */
        readonly UnsupportedMediaType: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FrameworkError"];
            };
        };
        /** @description Invalid request. */
        readonly FrameworkBadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FrameworkError"];
            };
        };
        /** @description Not found, or not visible to the workspace. */
        readonly NotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"];
            };
        };
        /** @description Success. */
        readonly Done: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Done"];
            };
        };
    };
    parameters: {
        /** @description Required only with cookie sessions. */
        readonly csrf: string;
        /** @description Executes the request once: for 24 hours the same key returns the same response, with `idempotent-replayed: true`. Scoped to the caller: keys with other permissions or operators, keys without read access to passports and units, and other users do not share it. At most 255 characters, no control characters. */
        readonly idempotencyKey: string;
        /** @description Event UUID. */
        readonly traceEventId: string;
    };
    requestBodies: never;
    headers: {
        /** @description EPCIS version of the response. */
        readonly "GS1-EPCIS-Version": string;
        /** @description Oldest supported version. */
        readonly "GS1-EPCIS-Min": string;
        /** @description Newest supported version. */
        readonly "GS1-EPCIS-Max": string;
        /** @description CBV version. */
        readonly "GS1-CBV-Version": string;
        /** @description Identifier format: unchanged. */
        readonly "GS1-EPC-Format": string;
        /** @description Present if the response repeats that of an earlier request with the same key. */
        readonly "idempotent-replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly queryTraceEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description Items in `epcList` or `childEPCs`. */
                readonly MATCH_epc?: string;
                /** @description `parentID`. */
                readonly MATCH_parentID?: string;
                /** @description Items in `inputEPCList`. */
                readonly MATCH_inputEPC?: string;
                /** @description Items in `outputEPCList`. */
                readonly MATCH_outputEPC?: string;
                /** @description Items in any of these lists. */
                readonly MATCH_anyEPC?: string;
                /** @description Lots and classes in `quantityList` or `childQuantityList`. */
                readonly MATCH_epcClass?: string;
                /** @description Lots and classes in `inputQuantityList`. */
                readonly MATCH_inputEPCClass?: string;
                /** @description Lots and classes in `outputQuantityList`. */
                readonly MATCH_outputEPCClass?: string;
                /** @description Lots and classes in any of these lists. */
                readonly MATCH_anyEPCClass?: string;
                /** @description Event types. */
                readonly eventType?: string;
                /** @description `ADD`, `OBSERVE` or `DELETE`. */
                readonly EQ_action?: string;
                /** @description Business steps, as CBV words or URIs. */
                readonly EQ_bizStep?: string;
                /** @description Dispositions, as CBV words or URIs. */
                readonly EQ_disposition?: string;
                /** @description Read points. */
                readonly EQ_readPoint?: string;
                /** @description Business locations. */
                readonly EQ_bizLocation?: string;
                /** @description Transformation ids. */
                readonly EQ_transformationID?: string;
                /** @description `eventID`. */
                readonly EQ_eventID?: string;
                /** @description Event time, inclusive, ISO 8601. */
                readonly GE_eventTime?: string;
                /** @description Event time, exclusive, ISO 8601. */
                readonly LT_eventTime?: string;
                /** @description Capture time, inclusive, ISO 8601. */
                readonly GE_recordTime?: string;
                /** @description Capture time, exclusive, ISO 8601. */
                readonly LT_recordTime?: string;
                /** @description Clamped to 1–200; default 30, also for non-integers. */
                readonly perPage?: string;
                /** @description Token from the `Link` header of the previous page. */
                readonly nextPageToken?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of events; `Link` is the next. */
            readonly 200: {
                headers: {
                    /** @description Next page, `rel="next"` (RFC 8288). */
                    readonly Link?: string;
                    readonly "GS1-EPCIS-Version": components["headers"]["GS1-EPCIS-Version"];
                    readonly "GS1-EPCIS-Min": components["headers"]["GS1-EPCIS-Min"];
                    readonly "GS1-EPCIS-Max": components["headers"]["GS1-EPCIS-Max"];
                    readonly "GS1-CBV-Version": components["headers"]["GS1-CBV-Version"];
                    readonly "GS1-EPC-Format": components["headers"]["GS1-EPC-Format"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EpcisQueryDocument"];
                    readonly "application/ld+json": components["schemas"]["EpcisQueryDocument"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly captureTraceEvents: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
                /** @description Executes the request once: for 24 hours the same key returns the same response, with `idempotent-replayed: true`. Scoped to the caller: keys with other permissions or operators, keys without read access to passports and units, and other users do not share it. At most 255 characters, no control characters. */
                readonly "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TraceCapture"];
                readonly "application/ld+json": components["schemas"]["TraceCapture"];
            };
        };
        readonly responses: {
            /** @description Events stored. */
            readonly 201: {
                headers: {
                    readonly "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TraceCaptured"];
                };
            };
            /** @description Invalid events, or an invalid credential proof (`Cryptographic Verification Failed`). */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailed"] | components["schemas"]["StandardError"] | components["schemas"]["FrameworkError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly listTraceCaptures: {
        readonly parameters: {
            readonly query?: {
                /** @description Clamped to 1–100; default 30, also for non-integers. */
                readonly perPage?: string;
                /** @description Token from the `Link` header of the previous page. */
                readonly nextPageToken?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page; `Link` is the next. */
            readonly 200: {
                headers: {
                    /** @description Next page, `rel="next"` (RFC 8288). */
                    readonly Link?: string;
                    readonly "GS1-EPCIS-Version": components["headers"]["GS1-EPCIS-Version"];
                    readonly "GS1-EPCIS-Min": components["headers"]["GS1-EPCIS-Min"];
                    readonly "GS1-EPCIS-Max": components["headers"]["GS1-EPCIS-Max"];
                    readonly "GS1-CBV-Version": components["headers"]["GS1-CBV-Version"];
                    readonly "GS1-EPC-Format": components["headers"]["GS1-EPC-Format"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CaptureJobs"];
                };
            };
            readonly 400: components["responses"]["FrameworkBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly captureTraceDocument: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
                /** @description Executes the request once: for 24 hours the same key returns the same response, with `idempotent-replayed: true`. Scoped to the caller: keys with other permissions or operators, keys without read access to passports and units, and other users do not share it. At most 255 characters, no control characters. */
                readonly "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description Only `rollback` is supported: any error stores nothing. */
                readonly "GS1-Capture-Error-Behaviour"?: "rollback";
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CaptureDocument"];
                readonly "application/ld+json": components["schemas"]["CaptureDocument"];
            };
        };
        readonly responses: {
            /** @description Capture queued. */
            readonly 202: {
                headers: {
                    readonly "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    /** @description Capture URL. */
                    readonly Location?: string;
                    /** @description Constant `rollback`. */
                    readonly "GS1-Capture-Error-Behaviour"?: string;
                    readonly "GS1-EPCIS-Version": components["headers"]["GS1-EPCIS-Version"];
                    readonly "GS1-EPCIS-Min": components["headers"]["GS1-EPCIS-Min"];
                    readonly "GS1-EPCIS-Max": components["headers"]["GS1-EPCIS-Max"];
                    readonly "GS1-CBV-Version": components["headers"]["GS1-CBV-Version"];
                    readonly "GS1-EPC-Format": components["headers"]["GS1-EPC-Format"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CaptureJob"];
                };
            };
            /** @description Invalid envelope. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailed"] | components["schemas"]["StandardError"] | components["schemas"]["FrameworkError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly getTraceCapture: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Capture UUID. */
                readonly captureID: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Capture. */
            readonly 200: {
                headers: {
                    readonly "GS1-EPCIS-Version": components["headers"]["GS1-EPCIS-Version"];
                    readonly "GS1-EPCIS-Min": components["headers"]["GS1-EPCIS-Min"];
                    readonly "GS1-EPCIS-Max": components["headers"]["GS1-EPCIS-Max"];
                    readonly "GS1-CBV-Version": components["headers"]["GS1-CBV-Version"];
                    readonly "GS1-EPC-Format": components["headers"]["GS1-EPC-Format"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CaptureJob"];
                };
            };
            readonly 400: components["responses"]["FrameworkBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly getTraceEvent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Event UUID. */
                readonly id: components["parameters"]["traceEventId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Event. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EpcisEvent"];
                    readonly "application/ld+json": components["schemas"]["EpcisEvent"];
                };
            };
            readonly 400: components["responses"]["FrameworkBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly getEventLineage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Event UUID. */
                readonly id: components["parameters"]["traceEventId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Lineage. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TraceLineage"];
                    readonly "application/ld+json": components["schemas"]["EpcisDocument"];
                };
            };
            /** @description Cyclic events, or malformed request. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StandardError"] | components["schemas"]["FrameworkError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly screenEventLineage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description Event UUID. */
                readonly id: components["parameters"]["traceEventId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Screening result. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TraceScreening"];
                };
            };
            /** @description Cyclic events, or malformed request. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StandardError"] | components["schemas"]["FrameworkError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly getPassportJourney: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Passport UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Current journey with unnamed places, and the published one. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PassportJourney"];
                };
            };
            readonly 400: components["responses"]["FrameworkBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly publishPassportJourney: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description Passport UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["JourneyPublication"];
            };
        };
        readonly responses: {
            /** @description Published journey. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PublishedJourneyAnswer"];
                };
            };
            /** @description Invalid member. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StandardError"] | components["schemas"]["FrameworkError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            /** @description No event has the product as output, or cyclic events. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StandardError"];
                };
            };
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly withdrawPassportJourney: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description Passport UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["FrameworkBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
}
