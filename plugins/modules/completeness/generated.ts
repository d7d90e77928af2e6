// Made of openapi.yaml by `dpp plugin types`.

export interface paths {
    readonly "/api/v1/passports/validate-only": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Validate a passport
         * @description Applies the rules of `createPassport`. Stores nothing and does not look up the operator.
         */
        readonly post: operations["validatePassport"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/passports/validate-only-public": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Validate a passport without permissions
         * @description Requires a valid key or session, but no permission. Credentials are checked before the body is read.
         */
        readonly post: operations["validatePassportPublic"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/passports/completeness": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Report completeness of the catalogue
         * @description One page of the catalogue, drafts included, newest passports first, with its numbers by category; the numbers of all pages add up to those of the catalogue. Within a page the least complete come first. A page may end early if its passports are large, but is not empty. Units and missing attributes are in `getPassportCompleteness`.
         */
        readonly get: operations["reportCompleteness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/passports/{id}/completeness": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Passport UUID or product id; the UUID is tried first. */
                readonly id: components["parameters"]["passportIdOrProduct"];
            };
            readonly cookie?: never;
        };
        /**
         * Report completeness of a passport
         * @description Required attributes follow from the annotations of the category schema and the product kind in the metadata. A stated value counts; its truth is not checked. Examines the newest 1,000 units that have not ceased.
         */
        readonly get: operations["getPassportCompleteness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Passport to validate. */
        readonly PassportToValidate: {
            /** @description GTIN-14, GRAI or free-form SKU; trimmed. */
            readonly productId: string;
            readonly metadata: components["schemas"]["Metadata"];
            /** @description Ignored. */
            readonly operatorId?: string | null;
        };
        /** @description Category-specific content. `category` and `originCountry` are required; the category's plugin validates the rest. Schemas: `/api/v1/schemas/{category}`. */
        readonly Metadata: {
            readonly [key: string]: unknown;
        };
        /** @description Valid metadata. */
        readonly ValidationPassed: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            /** @description Human-readable; may change. */
            readonly message: string;
            /** @description Category of the applied rules. */
            readonly category: string;
            /** @description Empty. */
            readonly errors: readonly components["schemas"]["Finding"][];
            /** @description Advisories; validation still passes. */
            readonly warnings?: readonly components["schemas"]["Advisory"][];
            /** @description Attributes required by the acts of the category and missing in the metadata. Not errors. */
            readonly completeness?: {
                /** @description True if no mandatory attribute is missing and the kind is known (if the category has kinds). */
                readonly isComplete: boolean;
                readonly counts: components["schemas"]["CompletenessCounts"];
                /** @description In schema order. */
                readonly missing: readonly components["schemas"]["MissingAttribute"][];
            };
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
        /** @description Required and stated attributes. Mandatory attributes are those annotated by the category, as for batteries; otherwise every attribute of an applicable act counts as conditional, because those acts have no detailed list yet. */
        readonly CompletenessCounts: {
            readonly mandatory: components["schemas"]["CompletenessCount"];
            readonly conditional: components["schemas"]["CompletenessCount"];
            readonly pending: components["schemas"]["CompletenessCount"];
        };
        /** @description Attributes of one level of obligation. */
        readonly CompletenessCount: {
            /** @description Required attributes. */
            readonly due: number;
            /** @description Stated attributes. */
            readonly met: number;
        };
        /** @description Required but missing attribute. */
        readonly MissingAttribute: {
            /** @description Key in the metadata or in the payload of a unit event; `[]` marks each array item. */
            readonly key: string;
            /** @description Points of the law, such as `XIII 1(h)`; acts, such as `2024/1781`, if the category lists no points. */
            readonly points: readonly string[];
            /**
             * @description Place of the value: the passport or each unit.
             * @enum {string}
             */
            readonly level: "model" | "item";
            /** @description Audience of the value. */
            readonly audience: readonly ("public" | "legitimateInterest" | "authority")[];
            /**
             * @description Obligation: now, if applicable, or after a future act.
             * @enum {string}
             */
            readonly due: "mandatory" | "conditional" | "pending";
            /** @description Label in the caller's language. */
            readonly label: string;
            /** @description English definition. */
            readonly description: string;
            /** @description Examined units without it. */
            readonly units?: number;
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
        /** @description Invalid product id; nothing else was validated. */
        readonly UnknownProduct: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success?: false;
            /**
             * @description Constant.
             * @constant
             */
            readonly error: "Bad Request";
            /** @description Human-readable; may change. */
            readonly message?: string;
            /**
             * @description Constant.
             * @constant
             */
            readonly category: "unknown";
            /** @description Empty. */
            readonly errors: readonly components["schemas"]["Finding"][];
            readonly code?: components["schemas"]["ErrorCode"];
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
        /** @description Format of errors of operations without credentials, of grants, and of requests that violate this document when creating or validating a passport. */
        readonly BareError: {
            /** @description HTTP reason phrase. */
            readonly error: string;
            /** @description Human-readable; may change. */
            readonly message: string;
            /** @description Log reference of an internal error. */
            readonly requestId?: string;
        };
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
        /** @description Completeness of one page of the catalogue. */
        readonly CatalogueCompleteness: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            /** @description Passports of this page. */
            readonly examined: number;
            /** @description This page by category, sorted by name. */
            readonly categories: readonly {
                /** @description Category in the metadata; null for drafts without one. */
                readonly category: string | null;
                /** @description Passports of this category. */
                readonly passports: number;
                /** @description Passports without missing mandatory attributes. */
                readonly complete: number;
                /** @description Sum over the category. */
                readonly counts: components["schemas"]["CompletenessCounts"];
            }[];
            /** @description This page, least complete first. */
            readonly passports: readonly {
                /**
                 * Format: uuid
                 * @description Passport UUID.
                 */
                readonly passportId: string;
                /** @description Product id. */
                readonly productId: string;
                readonly status: components["schemas"]["PassportStatus"];
                /** @description Category in the metadata. */
                readonly category: string | null;
                /** @description See `CompletenessReport`. */
                readonly kind: string | null;
                /** @description See `CompletenessReport`. */
                readonly isComplete: boolean;
                readonly counts: components["schemas"]["CompletenessCounts"];
            }[];
            /** @description Cursor of the next page; null on the last. */
            readonly nextCursor: string | null;
        };
        /**
         * @description Drafts are not public. Every transition between the other three is allowed.
         * @enum {string}
         */
        readonly PassportStatus: "DRAFT" | "ACTIVE" | "RECALLED" | "DECOMMISSIONED";
        /** @description Required attributes of a passport and its units, and those missing. */
        readonly CompletenessReport: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            /**
             * Format: uuid
             * @description Passport UUID.
             */
            readonly passportId: string;
            /** @description Product id. */
            readonly productId: string;
            /** @description Category in the metadata. */
            readonly category: string | null;
            /** @description Product kind that determines the required attributes, such as `ev`; null if not stated. */
            readonly kind: string | null;
            /** @description True if no mandatory attribute is missing and the kind is known (if the category has kinds). */
            readonly isComplete: boolean;
            /** @description Unit attributes count as met if all examined units state them; not counted without units. */
            readonly counts: components["schemas"]["CompletenessCounts"];
            /** @description Units of the passport. */
            readonly units: {
                /** @description All units. */
                readonly total: number;
                /** @description Examined units. */
                readonly examined: number;
                /** @description Examined units without a mandatory value. */
                readonly incomplete: number;
            };
            /** @description In schema order. */
            readonly missing: readonly components["schemas"]["MissingAttribute"][];
        };
    };
    responses: {
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
        /** @description Subscription lapsed, plan limit on passports or storage reached, or plan without API access. */
        readonly PaymentRequired: {
            headers: {
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
        readonly BareUnsupportedMediaType: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["BareError"];
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
        /** @description Invalid parameter. */
        readonly BadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["StandardError"] | components["schemas"]["FrameworkError"];
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
    };
    parameters: {
        /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
        readonly lang: string | readonly string[];
        /** @description Required only with cookie sessions. */
        readonly csrf: string;
        /** @description Passport UUID or product id; the UUID is tried first. */
        readonly passportIdOrProduct: string;
    };
    requestBodies: {
        readonly ValidatePassport: {
            readonly content: {
                readonly "application/json": components["schemas"]["PassportToValidate"];
            };
        };
    };
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly validatePassport: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["ValidatePassport"];
        readonly responses: {
            /** @description Valid metadata. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationPassed"];
                };
            };
            /** @description Invalid metadata, or malformed request. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailed"] | components["schemas"]["UnknownProduct"] | components["schemas"]["BareError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["BareUnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly validatePassportPublic: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["ValidatePassport"];
        readonly responses: {
            /** @description Valid metadata. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationPassed"];
                };
            };
            /** @description Invalid metadata, or malformed request. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationFailed"] | components["schemas"]["UnknownProduct"] | components["schemas"]["BareError"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["BareUnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly reportCompleteness: {
        readonly parameters: {
            readonly query?: {
                /** @description `nextCursor` of the previous page. */
                readonly cursor?: string;
                /** @description Clamped to 1–200; default 100, also for non-integers. */
                readonly limit?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of the report. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CatalogueCompleteness"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly getPassportCompleteness: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Passport UUID or product id; the UUID is tried first. */
                readonly id: components["parameters"]["passportIdOrProduct"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Completeness report. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CompletenessReport"];
                };
            };
            /** @description Invalid request, or several operators have a passport for this product. */
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
}
