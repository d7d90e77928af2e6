// Made of openapi.yaml by `dpp plugin types`.

export interface paths {
    readonly "/api/v1/passports/{id}/registration": {
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
         * Preview a passport's registration
         * @description Returns registry entry, failed checks and state. Checks follow Regulation (EU) 2026/1778, Article 8(7), and the requirements of the registry. Nothing is sent.
         */
        readonly get: operations["getPassportRegistration"];
        readonly put?: never;
        /**
         * Register a passport
         * @description Sends the entry to the registry of this gateway after the response, and again after each change of a registered value. The result is the state of the registration; a failure also creates a notification. Without `REGISTRY_URL` upload the entry manually, see `exportRegistryEntries`.
         */
        readonly post: operations["registerPassport"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/units/{id}/registration": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Battery unit UUID. */
                readonly id: components["parameters"]["unitId"];
            };
            readonly cookie?: never;
        };
        /**
         * Preview a unit's registration
         * @description The unit is registered as an item with data of its product passport; `deactivated` once it has ceased. Nothing is sent.
         */
        readonly get: operations["getUnitRegistration"];
        readonly put?: never;
        /**
         * Register a battery unit
         * @description Sends the entry to the registry of this gateway after the response, and again after each change of a registered value of the unit or its product passport. The result is the state of the registration; a failure also creates a notification. Without `REGISTRY_URL` upload the entry manually, see `exportRegistryEntries`.
         */
        readonly post: operations["registerUnit"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/registry-entries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Export registry entries
         * @description One failed check rejects the whole file, as the registry would.
         */
        readonly get: operations["exportRegistryEntries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/passport/{id}/registration-proof": {
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
         * Download a passport's registration proof
         * @description Public for published passports; unchanged registry document, sent as an attachment.
         */
        readonly get: operations["getRegistrationProof"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/unit/{id}/registration-proof": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Unit UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        /**
         * Download a unit's registration proof
         * @description Public for units of published passports; unchanged registry document, sent as an attachment.
         */
        readonly get: operations["getUnitRegistrationProof"];
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
        /** @description Registration of a product passport or unit. */
        readonly PassportRegistration: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            /** @description Checks of the registry and of the gateway. */
            readonly checks: readonly components["schemas"]["RegistrationCheck"][];
            /** @description Data sent to the registry; null if a check fails. */
            readonly entry: components["schemas"]["RegistryEntry"] | null;
            /**
             * Format: uri
             * @description Schema version that the metadata was validated against; null if the category has no schema or the version was not recorded.
             */
            readonly metadataSchema: string | null;
            /** @description Current version of the product passport. */
            readonly version: number;
            /** @description Merkle root of the seal, hexadecimal; null if unsealed. */
            readonly hash: string | null;
            /** @description Null if never requested. */
            readonly registration: components["schemas"]["RegistrationState"] | null;
        };
        /** @description Check before a registration. */
        readonly RegistrationCheck: {
            /**
             * @description Check code.
             * @enum {string}
             */
            readonly code: "SEALED" | "MEANING" | "COHERENCE" | "LEVEL" | "COMMODITY_CODE" | "BACKUP" | "OPERATOR" | "FACILITY";
            /** @description True if passed. */
            readonly passed: boolean;
            /** @description Finding and next step. */
            readonly message: string;
            /** @description Legal or registry source. */
            readonly clause: string;
        };
        /** @description Registry data of a passport, with the members of the exploratory CIRPASS-2 registry. */
        readonly RegistryEntry: {
            /** @description Unique product identifier: the link printed on the product. */
            readonly upi: string;
            /** @description Responsible economic operator: scheme, hyphen, number. */
            readonly reoId: string;
            /**
             * Format: uri
             * @description Public URL of the passport.
             */
            readonly liveURL: string;
            /**
             * Format: uri
             * @description URL of the backup copy.
             */
            readonly backupURL: string;
            /** @description HS, CN or TARIC. */
            readonly commodityCode: string;
            /** @description Manufacturing facilities. */
            readonly facilitiesId: readonly string[];
            /**
             * @description Level of the passport.
             * @enum {string}
             */
            readonly granularityLevel: "MODEL" | "BATCH" | "ITEM";
            /** @description Items only: true if the passport has ended. */
            readonly deactivated?: boolean;
        };
        /** @description State of a registration. */
        readonly RegistrationState: {
            /**
             * @description State of the last request to the registry.
             * @enum {string}
             */
            readonly state: "PENDING" | "REGISTERED" | "FAILED";
            /** @description Reason for failure or delay; if registered, for a missing proof. */
            readonly reason: string | null;
            /**
             * Format: date-time
             * @description Request time.
             */
            readonly requestedAt: string;
            /** @description True if the registry has the current data. */
            readonly isCurrent: boolean;
            /** @description Registry name; null until registered, as are the following members. */
            readonly registry: string | null;
            /** @description Assigned by the registry. Not evidence of compliance. */
            readonly identifier: string | null;
            /**
             * Format: date-time
             * @description Time stated by the registry, else of its response.
             */
            readonly registeredAt: string | null;
            /** @description Version number in the history. */
            readonly version: number | null;
            /** @description SHA-256, hexadecimal. */
            readonly hash: string | null;
            /**
             * Format: uri
             * @description URL of the proof of registration; null if the registry issued none.
             */
            readonly proof: string | null;
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
        /** @description Failed registration checks. */
        readonly RegistrationRefused: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: false;
            /** @description HTTP reason phrase. */
            readonly error: string;
            /** @description Human-readable; may change. */
            readonly message: string;
            /**
             * @description Constant.
             * @constant
             */
            readonly code: "REGISTRATION_CHECKS_FAILED";
            /** @description Failed checks. */
            readonly checks: readonly components["schemas"]["RegistrationCheck"][];
        };
        /** @description Entries to upload. */
        readonly RegistryFile: readonly components["schemas"]["RegistryEntry"][];
        /** @description Errors of rows: of passports each starts with `[SKU: …]`, of events with its position; of units each is a plain text. */
        readonly RowErrors: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: false;
            /** @description Failed operation. */
            readonly error: string;
            /** @description One text per row. */
            readonly errors: readonly string[];
        };
        /** @description Proof of registration in the registry's format. */
        readonly RegistrationProof: {
            readonly [key: string]: unknown;
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
        /** @description Malformed key in the URL. */
        readonly PublicBadRequest: {
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
        /** @description Battery unit UUID. */
        readonly unitId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getPassportRegistration: {
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
            /** @description Checks, entry and state. */
            readonly 200: {
                headers: {
                    /** @description Schema of the metadata (`rel="describedby"`), if known. */
                    readonly Link?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PassportRegistration"];
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
    readonly registerPassport: {
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
            /** @description Registration queued. */
            readonly 202: {
                headers: {
                    /** @description Schema of the metadata (`rel="describedby"`), if known. */
                    readonly Link?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PassportRegistration"];
                };
            };
            readonly 400: components["responses"]["FrameworkBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            /** @description Failed checks (`REGISTRATION_CHECKS_FAILED`, listed in `checks`), or no registry configured (`REGISTRY_NOT_CONFIGURED`). */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RegistrationRefused"] | components["schemas"]["StandardError"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly getUnitRegistration: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Battery unit UUID. */
                readonly id: components["parameters"]["unitId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Checks, entry and state. */
            readonly 200: {
                headers: {
                    /** @description Schema of the metadata (`rel="describedby"`), if known. */
                    readonly Link?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PassportRegistration"];
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
    readonly registerUnit: {
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
        readonly requestBody?: never;
        readonly responses: {
            /** @description Registration queued. */
            readonly 202: {
                headers: {
                    /** @description Schema of the metadata (`rel="describedby"`), if known. */
                    readonly Link?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PassportRegistration"];
                };
            };
            readonly 400: components["responses"]["FrameworkBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            /** @description Failed checks (`REGISTRATION_CHECKS_FAILED`, listed in `checks`), or no registry configured (`REGISTRY_NOT_CONFIGURED`). */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RegistrationRefused"] | components["schemas"]["StandardError"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly exportRegistryEntries: {
        readonly parameters: {
            readonly query: {
                /** @description 1 to 100 passport or unit UUIDs, comma-separated. */
                readonly ids: string;
                /** @description File format. */
                readonly format?: "json" | "xml";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Entries in the order of `ids`. */
            readonly 200: {
                headers: {
                    /** @description `attachment`. */
                    readonly "Content-Disposition"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RegistryFile"];
                    readonly "application/xml": string;
                };
            };
            readonly 400: components["responses"]["FrameworkBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            /** @description Failed checks; each row has the passport or unit, the check and the remedy. */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RowErrors"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly getRegistrationProof: {
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
            /** @description The proof. */
            readonly 200: {
                headers: {
                    /** @description `attachment`. */
                    readonly "Content-Disposition"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": unknown;
                    readonly "application/xml": string;
                    readonly "application/json": components["schemas"]["RegistrationProof"];
                };
            };
            readonly 400: components["responses"]["PublicBadRequest"];
            readonly 404: components["responses"]["PublicNotFound"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly getUnitRegistrationProof: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Unit UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The proof. */
            readonly 200: {
                headers: {
                    /** @description `attachment`. */
                    readonly "Content-Disposition"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": unknown;
                    readonly "application/xml": string;
                    readonly "application/json": components["schemas"]["RegistrationProof"];
                };
            };
            readonly 400: components["responses"]["PublicBadRequest"];
            readonly 404: components["responses"]["PublicNotFound"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
}
