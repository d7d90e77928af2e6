// Made of openapi.yaml by `dpp plugin types`.

export interface paths {
    readonly "/api/v1/passports/{id}/links": {
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
         * List links of a passport
         * @description Pending links are visible only here, to both workspaces; accepted links are in the documents of both passports.
         */
        readonly get: operations["listPassportLinks"];
        readonly put?: never;
        /**
         * Link two passports
         * @description Relation: replaces, derived from, has as a part, or is a part of. Links within the workspace and to external passports are valid immediately; links to a passport of another workspace after that workspace accepts, and are hidden until then. Both passports must be published; cycles are rejected; at most 100 links per passport. Links are not covered by the seal.
         */
        readonly post: operations["linkPassport"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/links/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Link UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove a link
         * @description Available to both sides; removes the link from both passports. Pending links are withdrawn or declined.
         */
        readonly delete: operations["deletePassportLink"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/links/{id}/accept": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Link UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Accept a link
         * @description Both passports show it immediately. An accepted link cannot be accepted again (409).
         */
        readonly post: operations["acceptPassportLink"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/links/{id}/decline": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Link UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Decline a link
         * @description Notifies the requesting workspace. Remove an accepted link with `DELETE` (409 here).
         */
        readonly post: operations["declinePassportLink"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/units/{id}/handover": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Battery unit UUID. */
                readonly id: components["parameters"]["unitId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Offer a battery unit
         * @description For re-use, repurposing or remanufacture: another operator becomes responsible for the battery, with a new record that links to the old one. The code is returned only once and accepted by `POST /api/v1/handovers/accept`. An offer may be limited to a workspace or to the registration id of an operator. `expiresAt`: default 30 days, at most 366 days. A new offer withdraws the previous offer of the unit.
         */
        readonly post: operations["offerUnitHandover"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/passports/{id}/handover": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Passport UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Offer a passport
         * @description Works like the offer of a unit. The receiver specifies its own passport, which then replaces this one or is derived from it; this passport is unchanged.
         */
        readonly post: operations["offerPassportHandover"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/handovers/accept": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Accept an offer
         * @description A unit becomes the predecessor of a new unit in the caller's workspace, with the given serial number and status; its own record stays readable, with that status and an event that identifies the successor. An offered passport is linked with the given passport. Atomic. Each code is valid once.
         */
        readonly post: operations["acceptHandover"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/handovers/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Offer UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Withdraw an offer
         * @description Its code becomes invalid. An accepted offer cannot be withdrawn (409).
         */
        readonly delete: operations["withdrawHandover"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Links of a passport. */
        readonly LinkList: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            /** @description Number of entries. */
            readonly count: number;
            /** @description Oldest first. */
            readonly links: readonly components["schemas"]["PassportLink"][];
        };
        /** @description Link, from the requested passport's or the caller's side. */
        readonly PassportLink: {
            /**
             * Format: uuid
             * @description Assigned by the gateway.
             */
            readonly id: string;
            readonly rel: components["schemas"]["ShownLinkRel"];
            /**
             * @description Acceptance by the other workspace.
             * @enum {string}
             */
            readonly status: "PENDING" | "ACCEPTED";
            /** @description True if requested by the other side. */
            readonly isIncoming: boolean;
            /**
             * Format: uri
             * @description URL of the other passport.
             */
            readonly target: string;
            /** @description Product id of the other passport. */
            readonly identifier: string;
            /** @description Legal name of the requesting workspace. */
            readonly askedBy: string;
            /**
             * Format: date-time
             * @description Request time.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Start of public display; null while hidden.
             */
            readonly since: string | null;
        };
        /**
         * @description Relation of this passport to the other one.
         * @enum {string}
         */
        readonly ShownLinkRel: "replaces" | "replacedBy" | "derivedFrom" | "sourceOf" | "hasPart" | "partOf";
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
        /** @description Link to request. */
        readonly NewLink: {
            readonly rel: components["schemas"]["LinkRel"];
            /** @description UUID or URL of a published passport of this gateway, or an https URL elsewhere. */
            readonly target: string;
            /** @description Product id, for external targets if required; otherwise that of the target passport. */
            readonly identifier?: string;
        };
        /**
         * @description Relation of this passport to the other one.
         * @enum {string}
         */
        readonly LinkRel: "replaces" | "derivedFrom" | "hasPart" | "partOf";
        /** @description A link. */
        readonly OneLink: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            readonly warnings?: components["schemas"]["MemberWarnings"];
            readonly link: components["schemas"]["PassportLink"];
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
        /** @description Limits of an offer; by default any holder of the code may accept it. */
        readonly NewHandover: {
            /**
             * Format: uuid
             * @description Only workspace that may accept.
             */
            readonly forWorkspaceId?: string;
            /** @description Registration id of the only operator that may accept. */
            readonly forRegId?: string;
            /** @description End of the offer, ISO 8601; default 30 days ahead. */
            readonly expiresAt?: string;
        };
        /** @description An offer. */
        readonly HandoverOffered: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            readonly warnings?: components["schemas"]["MemberWarnings"];
            /**
             * Format: uuid
             * @description Offer UUID, for withdrawal.
             */
            readonly id: string;
            /** @description Acceptance code; returned only once. */
            readonly code: string;
            /**
             * Format: date-time
             * @description End of the offer.
             */
            readonly expiresAt: string;
        };
        /** @description Acceptance of an offer. */
        readonly HandoverAcceptance: {
            /** @description Code from the offer. */
            readonly code: string;
            /**
             * Format: uuid
             * @description Published passport of the workspace: that of the new unit, or the successor.
             */
            readonly passportId: string;
            /** @description Serial number of the new unit. */
            readonly serialNumber?: string;
            /**
             * @description New status of the offered unit; default REPURPOSED.
             * @enum {string}
             */
            readonly status?: "REPURPOSED" | "REMANUFACTURED" | "REUSED";
            /**
             * @description Relation to the offered passport; default derivedFrom.
             * @enum {string}
             */
            readonly rel?: "replaces" | "derivedFrom";
        };
        /** @description Result of an acceptance. */
        readonly HandoverAccepted: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            readonly warnings?: components["schemas"]["MemberWarnings"];
            /** @description Human-readable; may change. */
            readonly message: string;
            /** @description New unit; null for a passport. */
            readonly unit: components["schemas"]["BatteryUnit"] | null;
            /** @description New link; null for a unit. */
            readonly link: components["schemas"]["LinkInPassport"] | null;
        };
        /** @description Battery unit. */
        readonly BatteryUnit: {
            /**
             * Format: uuid
             * @description Assigned by the gateway.
             */
            readonly id: string;
            /** @description Unique within its passport. */
            readonly serialNumber: string;
            /** @description Production batch, if stated. */
            readonly batchNumber?: string;
            /**
             * Format: uri
             * @description GS1 Digital Link.
             */
            readonly digitalLinkUri: string;
            /**
             * Format: uuid
             * @description Passport UUID.
             */
            readonly passportId: string;
            /**
             * Format: uuid
             * @description Workspace UUID.
             */
            readonly tenantId: string;
            /**
             * Format: date-time
             * @description Manufacturing date.
             */
            readonly manufacturedAt: string | null;
            /**
             * Format: date-time
             * @description Date of placing on the market, if stated.
             */
            readonly placedOnMarketAt?: string;
            readonly status: components["schemas"]["UnitStatus"];
            /**
             * Format: date-time
             * @description Recycling time; never cleared.
             */
            readonly ceasedAt: string | null;
            /**
             * Format: uuid
             * @description Unit that it was made from.
             */
            readonly predecessorUnitId: string | null;
            /**
             * Format: date-time
             * @description Serialisation time.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last status change.
             */
            readonly updatedAt: string;
        };
        /**
         * @description Every transition is allowed.
         * @enum {string}
         */
        readonly UnitStatus: "IN_SERVICE" | "DECOMMISSIONED" | "RECALLED" | "REPURPOSED" | "REMANUFACTURED" | "REUSED" | "WASTE" | "RECYCLED";
        /** @description Linked passport. */
        readonly LinkInPassport: {
            readonly rel: components["schemas"]["ShownLinkRel"];
            /**
             * Format: uri
             * @description URL of the other passport.
             */
            readonly target: string;
            /** @description Product id of the other passport. */
            readonly identifier: string;
            /**
             * Format: date-time
             * @description Start of public display.
             */
            readonly since: string;
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
        /** @description Battery unit UUID. */
        readonly unitId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly listPassportLinks: {
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
            /** @description Links, oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LinkList"];
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
    readonly linkPassport: {
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
                readonly "application/json": components["schemas"]["NewLink"];
            };
        };
        readonly responses: {
            /** @description New link. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OneLink"];
                };
            };
            /** @description Invalid or malformed request. */
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
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly deletePassportLink: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description Link UUID. */
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
    readonly acceptPassportLink: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description Link UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Accepted link. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OneLink"];
                };
            };
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
    readonly declinePassportLink: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description Link UUID. */
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
            readonly 409: components["responses"]["Conflict"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly offerUnitHandover: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description Battery unit UUID. */
                readonly id: components["parameters"]["unitId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewHandover"];
            };
        };
        readonly responses: {
            /** @description Offer with its code. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HandoverOffered"];
                };
            };
            /** @description Invalid or malformed request. */
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
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly offerPassportHandover: {
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
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewHandover"];
            };
        };
        readonly responses: {
            /** @description Offer with its code. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HandoverOffered"];
                };
            };
            /** @description Invalid or malformed request. */
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
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly acceptHandover: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["HandoverAcceptance"];
            };
        };
        readonly responses: {
            /** @description New unit or link. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HandoverAccepted"];
                };
            };
            /** @description Invalid or malformed request. */
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
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly withdrawHandover: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description Offer UUID. */
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
            readonly 409: components["responses"]["Conflict"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
}
