// Made of openapi.yaml by `dpp plugin types`.

export interface paths {
    readonly "/api/v1/passports/{id}/media": {
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
         * List media of a passport
         * @description Includes media of drafts. `audience` lists who may read a document that is not public; others neither see nor fetch it.
         */
        readonly get: operations["listPassportMedia"];
        /**
         * Reorder and retitle media
         * @description Send the complete list in the new order; the first picture represents the passport.
         */
        readonly put: operations["arrangePassportMedia"];
        /**
         * Upload a picture or document
         * @description The body is the file, at most 5 MiB. The type is detected from the content; a different declared type is 415.
         *     Pictures are re-encoded as WebP in sRGB in up to three sizes, which removes all other data of the file, such as
         *     place, camera and profile. Pictures with several frames or above 160 MiB of pixels are rejected. PDFs are stored
         *     unchanged and sent as attachments. Media are not covered by the seal and can be added to sealed passports. At
         *     most 24 pictures and 16 documents per passport.
         *
         *     A document may have a type, a language and an audience; a type requires an audience. List `medium.entry` in the
         *     metadata under `documents`, `restrictedDocuments` or `complianceDocuments` to seal the SHA-256 of the file; once
         *     that version is published, the file cannot be deleted.
         */
        readonly post: operations["uploadPassportMedia"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/passports/{id}/media/{mediaId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Passport UUID. */
                readonly id: string;
                /** @description Medium UUID. */
                readonly mediaId: string;
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a picture or document
         * @description Its URLs return 404 immediately; caches may still serve copies. A file listed in the metadata of any published version cannot be deleted (409; EN 18221, 4.4).
         */
        readonly delete: operations["deletePassportMedia"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/media/{id}/{file}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Medium UUID. */
                readonly id: string;
                /** @description File name in the URL of the medium. */
                readonly file: string;
            };
            readonly cookie?: never;
        };
        /**
         * Download a picture or document
         * @description Public for published passports; drafts are visible only to their workspace. Content never changes. Documents are sent as attachments. A document with an audience requires the API key of its owner, or a capability token of that audience for its passport, a unit of it or the workspace; other callers get 404, and the response must not be cached.
         */
        readonly get: operations["getMediaFile"];
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
        /** @description Media of a passport. */
        readonly MediaList: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            readonly warnings?: components["schemas"]["MemberWarnings"];
            /** @description Number of entries. */
            readonly count: number;
            /** @description Pictures in display order, then documents. */
            readonly media: readonly components["schemas"]["Medium"][];
        };
        /** @description `UNKNOWN_MEMBER`: unknown members of the body, ignored; absent if none. */
        readonly MemberWarnings: readonly components["schemas"]["Advisory"][];
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
        /** @description Picture or document. Its URLs are public once the passport is published, unless it has an audience. */
        readonly Medium: {
            /**
             * Format: uuid
             * @description Assigned by the gateway.
             */
            readonly id: string;
            /**
             * @description Pictures are displayed, documents downloaded.
             * @enum {unknown}
             */
            readonly kind: "picture" | "document";
            /** @description `image/webp` or `application/pdf`. */
            readonly mediaType: string;
            /** @description Title and text alternative; null if not stated. */
            readonly title: components["schemas"]["BoundedWords"] | null;
            /**
             * Format: uri
             * @description Immutable content; for a picture, its largest size.
             */
            readonly url: string;
            /** @description Sizes of a picture, smallest first; empty for documents. */
            readonly sizes: readonly components["schemas"]["PictureSize"][];
            readonly documentType?: components["schemas"]["DocumentType"];
            /** @description Language of a document, if stated. */
            readonly language?: string;
            /** @description SHA-256 of a document, hexadecimal. */
            readonly sha256?: string;
            /** @description Audience in addition to the owner, for documents that are not public; visible only to the workspace. */
            readonly audience?: readonly ("legitimateInterest" | "authority")[];
            /** @description Entry for the metadata; visible only to the workspace. */
            readonly entry?: components["schemas"]["DocumentEntry"];
        };
        /** @description Text, or translations by BCP 47 tag, such as `{"en": "…", "pl": "…"}`. */
        readonly BoundedWords: string | {
            readonly [key: string]: string;
        };
        /** @description Picture in one size. */
        readonly PictureSize: {
            /**
             * Format: uri
             * @description Immutable content.
             */
            readonly url: string;
            /** @description Pixels. */
            readonly width: number;
            /** @description Pixels. */
            readonly height: number;
        };
        /**
         * @description Document type.
         * @enum {string}
         */
        readonly DocumentType: "declarationOfConformity" | "technicalDocumentation" | "testReport" | "certificate" | "manual" | "safetyInformation" | "dismantlingInstructions" | "dueDiligenceReport" | "carbonFootprintStudy" | "other";
        /** @description Document as listed in the metadata. */
        readonly DocumentEntry: {
            /**
             * Format: uuid
             * @description Document of this passport.
             */
            readonly mediaId: string;
            /**
             * Format: uri
             * @description Download URL.
             */
            readonly url: string;
            readonly documentType: components["schemas"]["DocumentType"];
            /** @description Language, if stated. */
            readonly language?: string;
            readonly title?: components["schemas"]["BoundedWords"];
            /** @description Media type of the file. */
            readonly mediaType: string;
            /** @description SHA-256 of the file, hexadecimal. */
            readonly sha256: string;
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
        /** @description New order of the media. */
        readonly MediaArrangement: {
            /** @description Every medium once; documents follow pictures. */
            readonly media: readonly {
                /** @description Medium UUID. */
                readonly id: string;
                /** @description New title; null clears it, absent: unchanged. */
                readonly title?: components["schemas"]["BoundedWords"] | null;
            }[];
        };
        /** @description Stored medium. */
        readonly MediumAdded: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            readonly medium: components["schemas"]["Medium"];
        };
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
        /** @description Format of errors of operations without credentials, of grants, and of requests that violate this document when creating or validating a passport. */
        readonly BareError: {
            /** @description HTTP reason phrase. */
            readonly error: string;
            /** @description Human-readable; may change. */
            readonly message: string;
            /** @description Log reference of an internal error. */
            readonly requestId?: string;
        };
    };
    responses: {
        /** @description Invalid request. */
        readonly FrameworkBadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FrameworkError"];
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
        /** @description Not found, or not visible to the workspace. */
        readonly NotFound: {
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
        /** @description Duplicate, or not allowed in the current state. */
        readonly Conflict: {
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
        /** @description Malformed key in the URL. */
        readonly PublicBadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["BareError"];
            };
        };
        /** @description The key belongs to a workspace other than that of the host. */
        readonly PublicForbidden: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["BareError"];
            };
        };
        /** @description No public passport. */
        readonly PublicNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["BareError"];
            };
        };
        /** @description Too many requests from this address. */
        readonly PublicRateLimited: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FrameworkError"] | components["schemas"]["BareError"];
            };
        };
        /** @description Internal error. Details are only in the log, under the request id. */
        readonly PublicServerError: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["BareError"];
            };
        };
    };
    parameters: {
        /** @description Required only with cookie sessions. */
        readonly csrf: string;
        /** @description Capability token, `dpp_li_…` or `dpp_auth_…`; also accepted as bearer token. An invalid token gives the public tier, not an error. */
        readonly grant: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly listPassportMedia: {
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
            /** @description Complete list. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MediaList"];
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
    readonly arrangePassportMedia: {
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
                readonly "application/json": components["schemas"]["MediaArrangement"];
            };
        };
        readonly responses: {
            /** @description Updated list. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MediaList"];
                };
            };
            /** @description A medium is missing or repeated, or malformed request. */
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
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly uploadPassportMedia: {
        readonly parameters: {
            readonly query?: {
                /** @description Title and text alternative. */
                readonly title?: string;
                /** @description BCP 47 tag of the title, such as `de`. */
                readonly titleLanguage?: string;
                /** @description Document type; not for pictures. */
                readonly documentType?: components["schemas"]["DocumentType"];
                /** @description BCP 47 tag of the document, such as `pt-BR`. */
                readonly language?: string;
                /** @description `public`, or a comma-separated list of the others. The owner always has access. Default without a type: public. */
                readonly audience?: readonly ("public" | "legitimateInterest" | "authority")[];
            };
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
                readonly "image/jpeg": unknown;
                readonly "image/png": unknown;
                readonly "image/webp": unknown;
                readonly "application/pdf": unknown;
            };
        };
        readonly responses: {
            /** @description Stored medium. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MediumAdded"];
                };
            };
            /** @description Unsupported or damaged file, or malformed parameter. */
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
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["TooLarge"];
            /** @description Declared type missing, unsupported, or different from the content. */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StandardError"] | components["schemas"]["FrameworkError"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly deletePassportMedia: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description Passport UUID. */
                readonly id: string;
                /** @description Medium UUID. */
                readonly mediaId: string;
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
            readonly 409: components["responses"]["Conflict"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly getMediaFile: {
        readonly parameters: {
            readonly query?: {
                /** @description Capability token, `dpp_li_…` or `dpp_auth_…`; also accepted as bearer token. An invalid token gives the public tier, not an error. */
                readonly grant?: components["parameters"]["grant"];
            };
            readonly header?: {
                /** @description Cached entity tag. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                /** @description Medium UUID. */
                readonly id: string;
                /** @description File name in the URL of the medium. */
                readonly file: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description File content. */
            readonly 200: {
                headers: {
                    /** @description SHA-256 of the content. */
                    readonly ETag?: string;
                    /** @description `attachment` for documents. */
                    readonly "Content-Disposition"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/webp": unknown;
                    readonly "application/pdf": unknown;
                };
            };
            /** @description Not modified. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["PublicBadRequest"];
            readonly 403: components["responses"]["PublicForbidden"];
            readonly 404: components["responses"]["PublicNotFound"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
}
