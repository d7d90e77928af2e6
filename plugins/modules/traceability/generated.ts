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
         * Events that match a query of EPCIS 2.0, in the order in which they came in
         * @description The names are those of the EPCIS 2.0 query language. Several values of one parameter are separated by `|` (or by commas), and an event must meet every parameter. Identifiers may be written as EPC URNs or as GS1 Digital Links. Parameters of the query language that are not listed here are rejected (400).
         */
        readonly get: operations["queryTraceEvents"];
        readonly put?: never;
        /**
         * Store events of the supply chain
         * @description An EPCIS 2.0 event, an EPCISDocument of up to 1,000 events, or a UNTP traceability credential, told apart by their shape. All events are stored or none; each is judged, and `errors` names every place. An event that is there already, by its EPCIS event hash, is answered as it is there. The proof of a credential is verified with the keys of this gateway's workspaces; a credential without a proof is stored, and not `untpVerified`. It needs a key of the whole workspace.
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
         * The captures of the workspace, the newest first
         * @description A workspace keeps its last hundred that are finished, each for a week. It needs a key of the whole workspace.
         */
        readonly get: operations["listTraceCaptures"];
        readonly put?: never;
        /**
         * Capture a long document of events
         * @description An EPCISDocument of up to 10,000 events. What is around the events is judged at once, the events after the answer, by the rules of `POST /api/v1/events`; all of them are stored, or none. `Location` leads to what has become of it. An event that is there already is not stored again, so that a document may be sent twice. Four captures of a workspace may wait. It needs a key of the whole workspace.
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
                /** @description UUID of the capture. */
                readonly captureID: string;
            };
            readonly cookie?: never;
        };
        /**
         * What has become of a capture
         * @description While it is `running`, `judgedCount` says how far it is. Where it is not a `success`, nothing was stored, and `errors` name up to a hundred places. It needs a key of the whole workspace.
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
                /** @description UUID under which the event is stored. */
                readonly id: components["parameters"]["traceEventId"];
            };
            readonly cookie?: never;
        };
        /**
         * Read one event as EPCIS 2.0
         * @description As it came in, with the `eventID` that it has here. It needs a key of the whole workspace.
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
                /** @description UUID under which the event is stored. */
                readonly id: components["parameters"]["traceEventId"];
            };
            readonly cookie?: never;
        };
        /**
         * What came before an event, as a tree, or as an EPCISDocument
         * @description An event follows another that put out an item which it took in, not later than itself. Up to 32 levels and 1,000 events are walked; `truncated` says that there are more. An ancestor of several events is expanded once. With `Accept: application/ld+json` the events come as an EPCISDocument, in the order of time, up to 500.
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
                /** @description UUID under which the event is stored. */
                readonly id: components["parameters"]["traceEventId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Compare a lineage with named lists
         * @description Each match names the event, the place, the list with its source and date, and why. What has no place that could be compared is `notScreened`. No match is no statement that anything complies with any law.
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
                /** @description UUID of the passport. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        /**
         * The journey of a product as its stored events tell it, and as it is published
         * @description From the newest event that has put out the product, or a lot or an item of it, back to the origins. It needs a key of the whole workspace.
         */
        readonly get: operations["getPassportJourney"];
        /**
         * Publish the journey of a product on its page
         * @description What the stored events say now, from the newest event that put out the product, or a lot or an item of it, back to the origins. It stays as it is until it is published again. Places are called what `places` says, or what the facility with their GLN is called.
         */
        readonly put: operations["publishPassportJourney"];
        readonly post?: never;
        /**
         * Take the journey of a product off its page
         * @description The events stay. It needs a key of the whole workspace.
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
        /** @description A page of events as EPCIS 2.0 answers queries. */
        readonly EpcisQueryDocument: {
            /** @description Of all events. */
            readonly "@context": readonly (string | {
                readonly [key: string]: unknown;
            })[];
            /**
             * @description Always.
             * @constant
             */
            readonly type: "EPCISQueryDocument";
            /**
             * @description Always.
             * @constant
             */
            readonly schemaVersion: "2.0";
            /**
             * Format: date-time
             * @description When it was made.
             */
            readonly creationDate: string;
            /** @description The answer. */
            readonly epcisBody: {
                /** @description The results. */
                readonly queryResults: {
                    /**
                     * @description Always.
                     * @constant
                     */
                    readonly queryName: "SimpleEventQuery";
                    /** @description The events. */
                    readonly resultsBody: {
                        /** @description In the order in which they came in. */
                        readonly eventList: readonly components["schemas"]["BareEpcisEvent"][];
                    };
                };
            };
        };
        /** @description An event inside a document, whose `@context` it shares. */
        readonly BareEpcisEvent: {
            readonly type: components["schemas"]["TraceEventType"];
            /** @description That of the event; its EPCIS event hash where it had none. */
            readonly eventID: string;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description What an event of EPCIS 2.0 is.
         * @enum {string}
         */
        readonly TraceEventType: "ObjectEvent" | "AggregationEvent" | "AssociationEvent" | "TransactionEvent" | "TransformationEvent";
        /** @description The form of most errors. */
        readonly StandardError: {
            /**
             * @description Always.
             * @constant
             */
            readonly success: false;
            /** @description What the status says, or what has failed. */
            readonly error: string;
            /** @description For people. */
            readonly message: string;
            readonly code?: components["schemas"]["ErrorCode"];
            /** @description Of failures of the gateway: under this id its log says more. */
            readonly requestId?: string;
            /** @description Of published passports (`passport_quota_exceeded`), or of what is stored (`STORAGE_LIMIT_REACHED`). */
            readonly quota?: components["schemas"]["PassportQuota"] | components["schemas"]["StorageQuota"];
            /**
             * Format: uri
             * @description Where a larger plan can be had.
             */
            readonly upgradeUrl?: string;
            /** @description The passport that is there already (`PASSPORT_DUPLICATE`). */
            readonly existing?: {
                /**
                 * Format: uuid
                 * @description As `PUT /api/v1/passports/{id}` takes it.
                 */
                readonly id: string;
                /**
                 * Format: uri
                 * @description Its public address.
                 */
                readonly url: string;
            };
        };
        /**
         * @description What exactly was refused. A code never changes its meaning; new ones may come. `Link` with `rel="help"` leads to the meaning.
         *
         *     - `api_access_required` (402): the plan has no API access.
         *     - `passport_quota_exceeded` (402): the plan has no room for another published passport.
         *     - `STORAGE_LIMIT_REACHED` (402): the plan has no room for what would be stored.
         *     - `WORKSPACE_SUSPENDED` (403): the workspace is suspended, and none of its credentials holds.
         *     - `OPERATOR_SCOPE_FORBIDDEN` (403): the key is limited to another operator, or to one at all.
         *     - `OPERATOR_NOT_BOUND` (400 where none is bound, 403 for one that is not): the workspace may not act for it.
         *     - `OPERATOR_AMBIGUOUS` (400): several operators have a passport for this product; its UUID is needed.
         *     - `FACILITY_NOT_FOUND` (400): the workspace has no such facility.
         *     - `FACILITY_DUPLICATE` (409): the GLN is registered already.
         *     - `GLN_CHECK_DIGIT_INVALID` (400): not a GLN.
         *     - `GTIN_CHECK_DIGIT_INVALID` (400): fourteen digits that are not a GTIN.
         *     - `GS1_KEY_INVALID` (400): the GS1 engine does not take the key.
         *     - `GTIN_PREFIX_CLAIMED` (409): the GS1 company prefix is another workspace's; said of passports, units and batches.
         *     - `PASSPORT_DUPLICATE` (409): there is a passport of this product and operator.
         *     - `PASSPORT_IS_DRAFT` (409): a draft has no status to change.
         *     - `PASSPORT_PUBLISHED` (409): only drafts can be deleted.
         *     - `REGISTRATION_CHECKS_FAILED` (409): the registry would refuse the passport.
         *     - `REGISTRY_NOT_CONFIGURED` (409): this gateway registers nothing by itself.
         *     - `PASSPORT_SEALED_IMMUTABLE` (403): a sealed passport cannot be edited.
         *     - `PASSPORT_NOT_SEALED` (409): only a sealed passport is revised; this one is updated.
         *     - `PASSPORT_RETAINED` (409): the passport is to be kept, until a date or until its last unit has been recycled.
         *     - `LEVEL_FIXED` (409): a passport that was published stays of the level that it has, and only a model has batches.
         *     - `BATCH_IN_USE` (409): units name the batch.
         *     - `PASSPORT_NOT_OWNED` (403): only the workspace that issued a passport may seal it.
         *     - `VERSION_CHANGED` (412): it is no longer the version that `If-Match` names.
         *     - `PASSPORT_BUSY` (409): it is being edited while it is sealed.
         *     - `RESERVED_KEY` (400): metadata keys must not begin with `@`.
         *     - `SIGNING_KEY_MISSING` (400): the workspace has no signing key.
         *     - `KEY_LIMIT_REACHED` (409): the workspace has made all the keys that it may.
         *     - `CAPTURE_LIMIT_REACHED` (409): as many captures as a workspace may have are not finished yet.
         *     - `LABEL_JOB_LIMIT_REACHED` (409): as many label jobs as a workspace may have are not done yet.
         *     - `IMPORT_LIMIT_REACHED` (409): as many imports as a workspace may have are not done yet.
         *     - `MEDIA_REFUSED` (400): the file is none that is taken, or it is broken, animated or too large.
         *     - `MEDIA_TYPE_MISMATCH` (415): the file is something else than it was declared as.
         *     - `MEDIA_LIMIT_REACHED` (409): the passport has as many pictures or documents as it may have.
         *     - `MEDIA_IN_USE` (409): a published version of the passport names the document, which stays.
         *     - `AUDIENCE_MISSING` (400): a document with a type does not say, or not rightly, who may read it.
         *     - `LINK_TARGET_DRAFT` (409): a draft is not linked and not handed over.
         *     - `LINK_CIRCLE` (409): links would lead from a passport back to it.
         *     - `LINK_EXISTS` (409): the link is there, or asked for.
         *     - `LINK_LIMIT_REACHED` (409): a passport has as many links as it may have, or as many are asked of it.
         *     - `LINK_DECIDED` (409): the link is accepted already.
         *     - `NO_JOURNEY` (409): no stored event has put the product out.
         *     - `HANDOVER_INVALID` (404): no offer has this code.
         *     - `HANDOVER_CLOSED` (409): the offer has been accepted, was withdrawn, or has expired.
         *     - `HANDOVER_NOT_MEANT` (403): the offer is for somebody else, or the workspace’s own.
         *     - `UNIT_CEASED` (409): the battery has been recycled.
         *     - `UNIT_DUPLICATE` (409): the passport has a unit with this serial number.
         *     - `NOT_GS1` (400): a GS1 DataMatrix was asked for, and the identifiers are not GS1 keys.
         *     - `WEBHOOK_URL_REJECTED` (400): events are not sent to this address.
         *     - `WEBHOOK_LIMIT_REACHED` (409): the workspace has all the subscriptions that it may have.
         *     - `WEBHOOK_NOT_FOUND` (404): the workspace has no such subscription or delivery.
         * @enum {string}
         */
        readonly ErrorCode: "api_access_required" | "passport_quota_exceeded" | "STORAGE_LIMIT_REACHED" | "WORKSPACE_SUSPENDED" | "OPERATOR_SCOPE_FORBIDDEN" | "OPERATOR_NOT_BOUND" | "OPERATOR_AMBIGUOUS" | "FACILITY_NOT_FOUND" | "FACILITY_DUPLICATE" | "GLN_CHECK_DIGIT_INVALID" | "GTIN_CHECK_DIGIT_INVALID" | "GS1_KEY_INVALID" | "GTIN_PREFIX_CLAIMED" | "PASSPORT_DUPLICATE" | "PASSPORT_IS_DRAFT" | "PASSPORT_PUBLISHED" | "REGISTRATION_CHECKS_FAILED" | "REGISTRY_NOT_CONFIGURED" | "PASSPORT_SEALED_IMMUTABLE" | "PASSPORT_NOT_SEALED" | "PASSPORT_RETAINED" | "LEVEL_FIXED" | "BATCH_IN_USE" | "PASSPORT_NOT_OWNED" | "VERSION_CHANGED" | "PASSPORT_BUSY" | "RESERVED_KEY" | "SIGNING_KEY_MISSING" | "KEY_LIMIT_REACHED" | "CAPTURE_LIMIT_REACHED" | "IMPORT_LIMIT_REACHED" | "LABEL_JOB_LIMIT_REACHED" | "MEDIA_REFUSED" | "MEDIA_TYPE_MISMATCH" | "MEDIA_LIMIT_REACHED" | "MEDIA_IN_USE" | "AUDIENCE_MISSING" | "LINK_TARGET_DRAFT" | "LINK_CIRCLE" | "LINK_EXISTS" | "LINK_LIMIT_REACHED" | "LINK_DECIDED" | "NO_JOURNEY" | "HANDOVER_INVALID" | "HANDOVER_CLOSED" | "HANDOVER_NOT_MEANT" | "UNIT_CEASED" | "UNIT_DUPLICATE" | "NOT_GS1" | "WEBHOOK_URL_REJECTED" | "WEBHOOK_LIMIT_REACHED" | "WEBHOOK_NOT_FOUND";
        /** @description Published passports, and how many there may be. */
        readonly PassportQuota: {
            /** @description The plan. */
            readonly tier: string;
            /** @description How many there are. */
            readonly activePassports: number;
            /** @description How many there may be. */
            readonly passportLimit: number;
        };
        /** @description What is stored, and how much it may be. */
        readonly StorageQuota: {
            /** @description The plan. */
            readonly tier: string;
            /** @description Of metadata and its history, enrichment, seals, master data, grants, and units with their events. */
            readonly storedBytes: number;
            /** @description Most bytes; null: any number. */
            readonly storageLimit: number | null;
            /** @description Passports, drafts and archived ones included, operators, facilities, grants and units. */
            readonly storedRows: number;
            /** @description Most rows; null: any number. */
            readonly rowLimit: number | null;
        };
        /** @description The form of requests that do not meet this document, and of limits. */
        readonly FrameworkError: {
            /** @description The status. */
            readonly statusCode: number;
            readonly code?: components["schemas"]["FrameworkCode"];
            /** @description What the status says. */
            readonly error: string;
            /** @description For people. */
            readonly message: string;
        };
        /**
         * @description What of the request the gateway refused before the operation saw it.
         *
         *     - `FW_ERR_VALIDATION` (400, 415): the request does not meet this document.
         *     - `FW_ERR_CTP_INVALID_JSON_BODY` (400): the body is not JSON.
         *     - `FW_ERR_CTP_BODY_TOO_LARGE` (413): the body is over the limit.
         *     - `FW_ERR_RATE_LIMIT` (429): a request budget is used up.
         * @enum {string}
         */
        readonly FrameworkCode: "FW_ERR_VALIDATION" | "FW_ERR_CTP_INVALID_JSON_BODY" | "FW_ERR_CTP_BODY_TOO_LARGE" | "FW_ERR_RATE_LIMIT";
        /** @description An EPCIS 2.0 event, an EPCISDocument, or a UNTP traceability credential. What each must be like is told with every finding. */
        readonly TraceCapture: {
            /** @description That of EPCIS, or of the credential. */
            readonly "@context"?: string | Record<string, never> | readonly unknown[];
            /** @description Of an event or a document its name; of a credential its types. */
            readonly type?: string | readonly unknown[];
            /** @description Of a document: its events are in `eventList`. */
            readonly epcisBody?: Record<string, never>;
            /** @description Of a credential: its events. */
            readonly credentialSubject?: Record<string, never> | readonly unknown[];
            /** @description Of a credential: `DataIntegrityProof` with `ecdsa-jcs-2019`. */
            readonly proof?: Record<string, never> | readonly unknown[];
        } & {
            readonly [key: string]: unknown;
        };
        /** @description Under which ids events are stored. */
        readonly TraceCaptured: {
            /**
             * @description Always.
             * @constant
             */
            readonly status: "success";
            /**
             * Format: uuid
             * @description Of the first event.
             */
            readonly eventId: string;
            /** @description Whether they came in a credential whose proof a key of this gateway has made. */
            readonly untpVerified: boolean;
            /** @description Of each event, in their order. */
            readonly eventIds: readonly string[];
        };
        /** @description The form of findings about metadata. */
        readonly ValidationFailed: {
            /**
             * @description Always.
             * @constant
             */
            readonly success: false;
            /**
             * @description Always.
             * @constant
             */
            readonly error: "Validation Failed";
            /** @description For people. */
            readonly message: string;
            /** @description Whose rules were applied. */
            readonly category?: string;
            /** @description Everything that was found. */
            readonly errors: readonly components["schemas"]["Finding"][];
            /** @description What might be better. */
            readonly warnings?: readonly components["schemas"]["Advisory"][];
        };
        /** @description What is wrong with the metadata in one place. */
        readonly Finding: {
            /** @description Path of metadata keys, such as `materialComposition[0].percentage`. */
            readonly path: string;
            /** @description In English. */
            readonly message: string;
            /** @description In the caller's language; absent on errors about the category itself. */
            readonly friendlyMessage?: string;
        };
        /** @description A remark that blocks nothing. */
        readonly Advisory: {
            readonly code: components["schemas"]["AdvisoryCode"];
            /** @description Which member it is about. */
            readonly path?: string;
            /** @description In English. */
            readonly message: string;
            /** @description In the caller's language. */
            readonly friendlyMessage: string;
        };
        /**
         * @description New codes may come. `NON_GS1_PRODUCT_ID`: the product id is a SKU, so no scanner resolves it. `PRODUCT_ID_SERVED_ELSEWHERE`: another workspace serves the GTIN or GRAI, and its passport may answer. `PII_SHAPE_DETECTED`: a name or a value in the metadata looks like a person's. `UNIT_NO_SCANNABLE_LINK`: the product has no GTIN, so no scanner resolves the links of its units. `DRAFT_DEMOTED`: a published passport is a draft now. `EORI_NOT_FOUND`: the register does not know the number. `OPERATOR_AUTO_ATTRIBUTED`: the first operator of the workspace was taken. `GTIN_AUTO_COPIED`: the product id was copied into the metadata. `UNKNOWN_MEMBER`: the operation does not know the member of the body, and ignores it. Only where nothing is stored: `UNKNOWN_KEY`: no category describes the key, which is kept; at most twenty are named. `GTIN_NEEDS_PADDING`: the product id is a GTIN of 8, 12 or 13 digits without its leading zeros.
         * @enum {string}
         */
        readonly AdvisoryCode: "NON_GS1_PRODUCT_ID" | "PRODUCT_ID_SERVED_ELSEWHERE" | "PII_SHAPE_DETECTED" | "UNIT_NO_SCANNABLE_LINK" | "DRAFT_DEMOTED" | "EORI_NOT_FOUND" | "OPERATOR_AUTO_ATTRIBUTED" | "GTIN_AUTO_COPIED" | "UNKNOWN_KEY" | "GTIN_NEEDS_PADDING" | "UNKNOWN_MEMBER";
        /** @description Captures, the newest first. */
        readonly CaptureJobs: readonly components["schemas"]["CaptureJob"][];
        /** @description A capture as EPCIS 2.0 has it (12.6), and how many events it is about. */
        readonly CaptureJob: {
            /**
             * Format: uuid
             * @description UUID of the capture.
             */
            readonly captureID: string;
            /**
             * Format: date-time
             * @description When the document came.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it was done; absent while it is running.
             */
            readonly finishedAt?: string;
            /** @description Whether it waits or is being done. */
            readonly running: boolean;
            /** @description While it is running, that nothing wrong is known; then whether everything was stored. */
            readonly success: boolean;
            /**
             * @description Always: all events are stored, or none.
             * @constant
             */
            readonly captureErrorBehaviour: "rollback";
            /** @description What is wrong. */
            readonly errors: readonly components["schemas"]["CaptureError"][];
            /** @description Events of the document. */
            readonly eventCount: number;
            /** @description Those that have been judged. */
            readonly judgedCount: number;
        };
        /** @description What is wrong, as Problem Details (RFC 9457). */
        readonly CaptureError: {
            /**
             * @description `epcisException:ValidationException`: something is wrong at the place; `epcisException:CaptureLimitExceededException`: the workspace has no room for it; `epcisException:ImplementationException`: the gateway could not do it, so send it again.
             * @enum {string}
             */
            readonly type: "epcisException:ValidationException" | "epcisException:CaptureLimitExceededException" | "epcisException:ImplementationException";
            /** @description Code of what is wrong. */
            readonly title: string;
            /** @description Where, as a JSON pointer, and what to do. */
            readonly detail: string;
        };
        /** @description An EPCISDocument. What it and its events must be like is told with every finding. */
        readonly CaptureDocument: {
            /** @description That of EPCIS, and others. */
            readonly "@context"?: string | Record<string, never> | readonly unknown[];
            /** @description `EPCISDocument`. */
            readonly type?: string;
            /** @description Its events are in `eventList`. */
            readonly epcisBody?: Record<string, never>;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description An event in the form of EPCIS 2.0 (JSON). */
        readonly EpcisEvent: {
            /** @description That of EPCIS first. */
            readonly "@context": readonly (string | {
                readonly [key: string]: unknown;
            })[];
            readonly type: components["schemas"]["TraceEventType"];
            /** @description That of the event; its EPCIS event hash where it had none. */
            readonly eventID: string;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description What came before an event. */
        readonly TraceLineage: {
            /**
             * @description Always.
             * @constant
             */
            readonly success: true;
            readonly lineage: components["schemas"]["TraceNode"];
            /** @description There are more levels or events than are walked. */
            readonly truncated: boolean;
        };
        /** @description An event, and what came directly before it. */
        readonly TraceNode: {
            /**
             * Format: uuid
             * @description Under which it is stored.
             */
            readonly eventId: string;
            readonly eventType: components["schemas"]["TraceEventType"];
            /** @description Business step; words of the CBV are short. */
            readonly bizStep: string | null;
            /** @description In which state it left the items. */
            readonly disposition: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            readonly eventTime: string;
            /** @description Items, lots and classes that it names, as paths of GS1 Digital Links or as URIs. */
            readonly epcs: readonly string[];
            /** @description Its business location. */
            readonly location: string | null;
            /** @description Its read point. */
            readonly readPoint: string | null;
            /** @description It came in a credential whose proof was verified. */
            readonly isUntpCompliant: boolean;
            /** @description Who signed that credential. */
            readonly issuerDid: string | null;
            /** @description By what the event below follows this one: the same item, lot or class, or one transformation of several events. */
            readonly via?: readonly ("instance" | "lot" | "class" | "transformation")[];
            /** @description Its own parents stand where it was met first. */
            readonly isExpandedAbove?: boolean;
            /** @description What came directly before it. */
            readonly parents: readonly components["schemas"]["TraceNode"][];
        };
        /** @description Events as a document of EPCIS 2.0. */
        readonly EpcisDocument: {
            /** @description Of all events. */
            readonly "@context": readonly (string | {
                readonly [key: string]: unknown;
            })[];
            /**
             * @description Always.
             * @constant
             */
            readonly type: "EPCISDocument";
            /**
             * @description Always.
             * @constant
             */
            readonly schemaVersion: "2.0";
            /**
             * Format: date-time
             * @description When it was made.
             */
            readonly creationDate: string;
            /** @description The events. */
            readonly epcisBody: {
                /** @description In the order of time. */
                readonly eventList: readonly components["schemas"]["BareEpcisEvent"][];
            };
        };
        /** @description Where a lineage matches named lists. */
        readonly TraceScreening: {
            /**
             * @description Always.
             * @constant
             */
            readonly success: true;
            /**
             * Format: uuid
             * @description Of which event.
             */
            readonly eventId: string;
            /** @description Places of events that are on a list. */
            readonly matches: readonly components["schemas"]["ScreeningMatch"][];
            /** @description The lists that were compared, with their dates. */
            readonly screened: readonly components["schemas"]["ScreeningList"][];
            /** @description What could not be compared, and why: of it nothing is known. */
            readonly notScreened: readonly components["schemas"]["NotScreened"][];
            /** @description There are events that were not looked at. */
            readonly truncated: boolean;
            /**
             * Format: date-time
             * @description When.
             */
            readonly auditedAt: string;
        };
        /** @description A place of an event that is on a list. */
        readonly ScreeningMatch: {
            /**
             * Format: uuid
             * @description Of the event, as `GET /api/v1/events/{id}` takes it.
             */
            readonly id: string;
            /** @description The `eventID` of the event. */
            readonly eventId: string;
            /** @description Which list. */
            readonly list: string;
            /** @description From where the list is. */
            readonly source: string;
            /**
             * Format: date
             * @description As of when it is.
             */
            readonly date: string;
            /** @description JSON pointer into the event. */
            readonly field: string;
            /** @description What stands there. */
            readonly value: string;
            /** @description Why it matches. */
            readonly reason: string;
        };
        /** @description A named list, which is no complete account of any law. */
        readonly ScreeningList: {
            /** @description Its name. */
            readonly id: string;
            /** @description What it lists. */
            readonly title: string;
            /** @description To which law it belongs. */
            readonly law: string;
            /** @description From where it is. */
            readonly source: string;
            /**
             * Format: date
             * @description As of when.
             */
            readonly date: string;
            /**
             * Format: date
             * @description On which day the list was made from its source; what changed there later is not in it.
             */
            readonly readOn: string;
            /** @description What it is not. */
            readonly note?: string;
        };
        /** @description An event that could not be compared with a list. */
        readonly NotScreened: {
            /**
             * Format: uuid
             * @description Of the event, as `GET /api/v1/events/{id}` takes it.
             */
            readonly id: string;
            /** @description The `eventID` of the event. */
            readonly eventId: string;
            /** @description Which list. */
            readonly list: string;
            /** @description JSON pointers to what could not be read. */
            readonly fields: readonly string[];
            /** @description Why not. */
            readonly reason: string;
        };
        /** @description The journey of a product. */
        readonly PassportJourney: {
            /**
             * @description Always.
             * @constant
             */
            readonly success: true;
            /** @description As the events tell it now; null where none has put the product out. */
            readonly journey: components["schemas"]["Journey"] | null;
            /** @description Places that have no name yet. */
            readonly unnamedPlaces: readonly string[];
            /** @description As its page has it; null where nothing is published. */
            readonly published: components["schemas"]["PublishedJourney"] | null;
        };
        /** @description How a product came to be. */
        readonly Journey: {
            /** @description In the order of time. */
            readonly steps: readonly components["schemas"]["JourneyStep"][];
            /** @description Steps are left out. */
            readonly isCut: boolean;
        };
        /** @description A step of a journey. */
        readonly JourneyStep: {
            /**
             * @description What kind of work it was.
             * @enum {string}
             */
            readonly stage: "origin" | "processing" | "making" | "packing" | "transport" | "inspection" | "sale" | "repair" | "other";
            /**
             * Format: date-time
             * @description When.
             */
            readonly time: string;
            /** @description Where; null for what is not known. */
            readonly place: {
                /** @description For people. */
                readonly name: string | null;
                /** @description ISO 3166-1, two letters. */
                readonly country: string | null;
                /** @description As the event names it. */
                readonly uri: string | null;
            };
            /** @description Which earlier steps it follows, by their position. */
            readonly from: readonly number[];
        };
        /** @description A journey as it is published. */
        readonly PublishedJourney: {
            /** @description In the order of time. */
            readonly steps: readonly components["schemas"]["JourneyStep"][];
            /** @description Steps are left out. */
            readonly isCut: boolean;
            /** @description For whom; empty: for everybody. */
            readonly audience: readonly ("legitimateInterest" | "authority")[];
            /**
             * Format: date-time
             * @description When.
             */
            readonly publishedAt: string;
        };
        /** @description For whom a journey is published, and what its places are called. */
        readonly JourneyPublication: {
            /** @description For whom; without it for everybody. */
            readonly audience?: readonly ("legitimateInterest" | "authority")[];
            /** @description What places are called. */
            readonly places?: readonly components["schemas"]["JourneyPlaceName"][];
        };
        /** @description What a place is called. */
        readonly JourneyPlaceName: {
            /** @description As the events name it, in `bizLocation` or `readPoint`. */
            readonly uri: string;
            /** @description For people. */
            readonly name?: string;
            /** @description ISO 3166-1, two letters. */
            readonly country?: string;
        };
        /** @description What was published. */
        readonly PublishedJourneyAnswer: {
            /**
             * @description Always.
             * @constant
             */
            readonly success: true;
            readonly warnings?: components["schemas"]["MemberWarnings"];
            readonly published: components["schemas"]["PublishedJourney"];
        };
        /** @description `UNKNOWN_MEMBER`: members of the body that the operation does not know, and has ignored; absent where it knows all of them. */
        readonly MemberWarnings: readonly components["schemas"]["Advisory"][];
        /** @description It is done, and a text says what. */
        readonly Done: {
            /**
             * @description Always.
             * @constant
             */
            readonly success: true;
            /** @description For people. */
            readonly message: string;
        };
    };
    responses: {
        /** @description A parameter is not what it has to be. */
        readonly BadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"] | components["schemas"]["FrameworkError"];
            };
        };
        /** @description The credential is missing, of another kind, or does not hold; `message` says which of the three. Whether a key is unknown, revoked or expired is not said. */
        readonly Unauthorized: {
            headers: {
                /** @description The scheme, `Bearer`; with `error="invalid_token"` where a credential was sent that does not hold. */
                readonly "WWW-Authenticate"?: string;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"];
            };
        };
        /** @description A permission is missing, or the credential is limited to something else. */
        readonly Forbidden: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"];
            };
        };
        /** @description A request budget is used up. Queue, and try again after `Retry-After` seconds. */
        readonly RateLimited: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FrameworkError"];
            };
        };
        /** @description An unexpected error. Details are in the log only, under the request id. */
        readonly ServerError: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"];
            };
        };
        /** @description The subscription has lapsed, the plan's cap on passports or on what is stored is reached, or the plan has no API access. */
        readonly PaymentRequired: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"];
            };
        };
        /** @description It exists already, or its state does not allow this. */
        readonly Conflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"];
            };
        };
        /** @description The body is over the limit of this operation. */
        readonly TooLarge: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FrameworkError"];
            };
        };
        /** @description The body is not declared as JSON. */
        readonly UnsupportedMediaType: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FrameworkError"];
            };
        };
        /** @description The request does not meet the contract. */
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
        /** @description Done. */
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
        /** @description Needed with cookie sessions only. */
        readonly csrf: string;
        /** @description Executes the request once: for 24 hours the same key gets the same answer, with `idempotent-replayed: true`. It is the key of its caller: an API key with other permissions or of another economic operator starts anew, and so does one that may not read passports and battery units, and another user. At most 255 characters, none of them a control character. */
        readonly idempotencyKey: string;
        /** @description UUID under which the event is stored. */
        readonly traceEventId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Version of EPCIS that is answered. */
        readonly "GS1-EPCIS-Version": string;
        /** @description Oldest version that is spoken. */
        readonly "GS1-EPCIS-Min": string;
        /** @description Newest version that is spoken. */
        readonly "GS1-EPCIS-Max": string;
        /** @description Version of the CBV. */
        readonly "GS1-CBV-Version": string;
        /** @description Identifiers are given as they came in. */
        readonly "GS1-EPC-Format": string;
        /** @description The answer is the one that an earlier request with the same key got. */
        readonly "idempotent-replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly queryTraceEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description Items of `epcList` or `childEPCs`. */
                readonly MATCH_epc?: string;
                /** @description The `parentID`. */
                readonly MATCH_parentID?: string;
                /** @description Items of `inputEPCList`. */
                readonly MATCH_inputEPC?: string;
                /** @description Items of `outputEPCList`. */
                readonly MATCH_outputEPC?: string;
                /** @description Items wherever the event names them. */
                readonly MATCH_anyEPC?: string;
                /** @description Lots and classes of `quantityList` or `childQuantityList`. */
                readonly MATCH_epcClass?: string;
                /** @description Lots and classes of `inputQuantityList`. */
                readonly MATCH_inputEPCClass?: string;
                /** @description Lots and classes of `outputQuantityList`. */
                readonly MATCH_outputEPCClass?: string;
                /** @description Lots and classes wherever the event names them. */
                readonly MATCH_anyEPCClass?: string;
                /** @description Types of event. */
                readonly eventType?: string;
                /** @description `ADD`, `OBSERVE` or `DELETE`. */
                readonly EQ_action?: string;
                /** @description Business steps, short or as URIs. */
                readonly EQ_bizStep?: string;
                /** @description Dispositions, short or as URIs. */
                readonly EQ_disposition?: string;
                /** @description Read points. */
                readonly EQ_readPoint?: string;
                /** @description Business locations. */
                readonly EQ_bizLocation?: string;
                /** @description Transformations of several events. */
                readonly EQ_transformationID?: string;
                /** @description The `eventID`. */
                readonly EQ_eventID?: string;
                /** @description Events of this time or later. ISO 8601. */
                readonly GE_eventTime?: string;
                /** @description Events before this time. ISO 8601. */
                readonly LT_eventTime?: string;
                /** @description Events that came in at this time or later. ISO 8601. */
                readonly GE_recordTime?: string;
                /** @description Events that came in before this time. ISO 8601. */
                readonly LT_recordTime?: string;
                /** @description 1 to 200 events, clamped; anything but a whole number counts as 30. */
                readonly perPage?: string;
                /** @description The token of the `Link` header of the page before. */
                readonly nextPageToken?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of events. `Link` leads to the next. */
            readonly 200: {
                headers: {
                    /** @description The next page, `rel="next"` (RFC 8288). */
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
                /** @description Needed with cookie sessions only. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
                /** @description Executes the request once: for 24 hours the same key gets the same answer, with `idempotent-replayed: true`. It is the key of its caller: an API key with other permissions or of another economic operator starts anew, and so does one that may not read passports and battery units, and another user. At most 255 characters, none of them a control character. */
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
            /** @description The events are stored. */
            readonly 201: {
                headers: {
                    readonly "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TraceCaptured"];
                };
            };
            /** @description Something is wrong with the events, or the proof of the credential does not hold (`Cryptographic Verification Failed`). */
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
                /** @description 1 to 100 captures, clamped; anything but a whole number counts as 30. */
                readonly perPage?: string;
                /** @description The token of the `Link` header of the page before. */
                readonly nextPageToken?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page. `Link` leads to the next. */
            readonly 200: {
                headers: {
                    /** @description The next page, `rel="next"` (RFC 8288). */
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
                /** @description Needed with cookie sessions only. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
                /** @description Executes the request once: for 24 hours the same key gets the same answer, with `idempotent-replayed: true`. It is the key of its caller: an API key with other permissions or of another economic operator starts anew, and so does one that may not read passports and battery units, and another user. At most 255 characters, none of them a control character. */
                readonly "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
                /** @description Only `rollback` is done: nothing is stored where anything is wrong. */
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
            /** @description It is kept, and will be captured. */
            readonly 202: {
                headers: {
                    readonly "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    /** @description Address of the capture. */
                    readonly Location?: string;
                    /** @description Always `rollback`. */
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
            /** @description Something is wrong with what is around the events. */
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
                /** @description UUID of the capture. */
                readonly captureID: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The capture. */
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
                /** @description UUID under which the event is stored. */
                readonly id: components["parameters"]["traceEventId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The event. */
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
                /** @description UUID under which the event is stored. */
                readonly id: components["parameters"]["traceEventId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The lineage. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TraceLineage"];
                    readonly "application/ld+json": components["schemas"]["EpcisDocument"];
                };
            };
            /** @description The events run in a circle, or the request is malformed. */
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
                /** @description Needed with cookie sessions only. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description UUID under which the event is stored. */
                readonly id: components["parameters"]["traceEventId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What was found. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TraceScreening"];
                };
            };
            /** @description The events run in a circle, or the request is malformed. */
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
                /** @description UUID of the passport. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What would be published now, with the places that still have no name, and what is. */
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
                /** @description Needed with cookie sessions only. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description UUID of the passport. */
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
            /** @description It is published. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PublishedJourneyAnswer"];
                };
            };
            /** @description A member is not acceptable. */
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
            /** @description No stored event has put the product out, or the events run in a circle. */
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
                /** @description Needed with cookie sessions only. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description UUID of the passport. */
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
