// Made of openapi.yaml by `dpp plugin types`.

export interface paths {
    readonly "/api/v1/passports/{passportId}/batches": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Passport UUID or product id; the UUID is tried first. */
                readonly passportId: components["parameters"]["passportOfUnits"];
            };
            readonly cookie?: never;
        };
        /**
         * List batches of a passport
         * @description Newest first. Operator-scoped keys may read only batches of their operator's passports.
         */
        readonly get: operations["listBatches"];
        readonly put?: never;
        /**
         * Record up to 200 batches
         * @description The body is one batch, or a list in `batches`. Batches are independent: valid batches are stored, and `errors` has one text for each other batch, in order. `metadata` contains the differences from the model, is validated by the rules of the model's category, and is masked like the model's metadata. Batches are immutable: delete and record again to correct one. A unit references its batch by `batchNumber`.
         */
        readonly post: operations["createBatches"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/batches/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Batch UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        /**
         * Read a batch
         * @description JSON-LD; the batch and its model are in the owner tier.
         */
        readonly get: operations["getBatch"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a batch
         * @description A batch referenced by a unit cannot be deleted (409).
         */
        readonly delete: operations["deleteBatch"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/batch/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Batch UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        /**
         * Resolve a batch
         * @description Batch with its product. Tiers as in `/passport/{id}`. Batches of drafts are 404, except for the owner.
         */
        readonly get: operations["resolvePublicBatch"];
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
        /** @description One page of batches of a passport. */
        readonly BatchPage: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            /** @description Batches of this page. */
            readonly count: number;
            /** @description Product id. */
            readonly productId: string;
            /** @description Newest first. */
            readonly batches: readonly components["schemas"]["Batch"][];
            /** @description From 1. */
            readonly page: number;
            /** @description Maximum per page. */
            readonly limit: number;
            /** @description All batches of the passport. */
            readonly total: number;
            /** @description Number of pages. */
            readonly totalPages: number;
        };
        /** @description Batch of a product. */
        readonly Batch: {
            /**
             * Format: uuid
             * @description Assigned by the gateway.
             */
            readonly id: string;
            /** @description Unique within its passport. */
            readonly batchNumber: string;
            /**
             * Format: uri
             * @description GS1 Digital Link; gateway URL if the product has no GTIN.
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
            /** @description Differences from the model. */
            readonly metadata: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @description Recording time.
             */
            readonly createdAt: string;
        };
        /** @description Category-specific content. `category` and `originCountry` are required; the category's plugin validates the rest. Schemas: `/api/v1/schemas/{category}`. */
        readonly Metadata: {
            readonly [key: string]: unknown;
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
        /** @description One batch, or a list in `batches`, which takes precedence. */
        readonly NewBatches: {
            /** @description Validated individually. */
            readonly batches?: readonly components["schemas"]["NewBatch"][];
            /** @description See `NewBatch`. */
            readonly batchNumber?: string;
            /** @description See `NewBatch`. */
            readonly manufacturedAt?: string | null;
            /** @description See `NewBatch`. */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
        };
        /** @description Batch to record. An invalid batch is reported in `errors` and does not affect others. */
        readonly NewBatch: {
            /** @description GS1 batch or lot number (AI 10), unique within the passport; trimmed. Not `.` or `..`, which URLs cannot contain. */
            readonly batchNumber: string;
            /** @description ISO 8601 date or timestamp; default time zone UTC. */
            readonly manufacturedAt?: string | null;
            /** @description Differences from the model, by category keys; at most 65,536 bytes of JSON. Without product identification and documents, which belong to the model. */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
        };
        /** @description Result of recording batches. */
        readonly BatchesRecorded: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            readonly warnings?: components["schemas"]["MemberWarnings"];
            /** @description Human-readable; may change. */
            readonly message: string;
            /** @description Recorded batches. */
            readonly count: number;
            /** @description In the order of the request. */
            readonly batches: readonly components["schemas"]["Batch"][];
            /** @description One text per rejected batch, in order. */
            readonly errors?: readonly string[];
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
        /** @description Batch as JSON-LD. Values that it lacks are those of its model. */
        readonly BatchDocument: {
            /** @description Context of the gateway and a map of further terms. */
            readonly "@context": readonly [
                string,
                {
                    readonly [key: string]: unknown;
                }
            ];
            /**
             * @description JSON-LD type.
             * @constant
             */
            readonly "@type": "ProductBatch";
            /**
             * Format: uri
             * @description Same as `digitalLinkUri`.
             */
            readonly "@id": string;
            /**
             * Format: uuid
             * @description Assigned by the gateway.
             */
            readonly id: string;
            /**
             * @description Constant.
             * @constant
             */
            readonly granularity: "batch";
            /** @description Unique within its passport. */
            readonly batchNumber: string;
            /**
             * Format: uri
             * @description GS1 Digital Link; gateway URL if the product has no GTIN.
             */
            readonly digitalLinkUri: string;
            /** @description Identifier of the batch (EN 18219). */
            readonly uniqueProductIdentifier: string;
            /**
             * Format: date-time
             * @description Manufacturing date.
             */
            readonly manufacturedAt: string | null;
            /**
             * Format: date-time
             * @description Recording time.
             */
            readonly createdAt: string;
            /** @description Differences from the model. */
            readonly metadata: components["schemas"]["Metadata"];
            readonly ofModel: components["schemas"]["Passport"];
        };
        /** @description Passport as JSON-LD. */
        readonly Passport: components["schemas"]["PassportCore"] & {
            /** @description Seal; null if unsealed. */
            readonly proof: components["schemas"]["Proof"] | null;
            readonly economicOperator: components["schemas"]["OperatorInPassport"];
            /** @description Manufacturing facility; null if not stated. */
            readonly manufacturingFacility: components["schemas"]["FacilityInPassport"] | null;
            /** @description Level of the passport: a model (x-provisional). A metadata key of this name takes precedence. */
            readonly granularity?: "model" | (readonly unknown[] | boolean | null | number | Record<string, never> | string);
            /** @description Accepted links, oldest first; not sealed (x-provisional). Absent if empty. A metadata key of this name takes precedence. */
            readonly links?: readonly components["schemas"]["LinkInPassport"][] | (readonly unknown[] | boolean | null | number | Record<string, never> | string);
            /** @description Pictures and documents; not sealed (x-provisional). Absent if empty. A metadata key of this name takes precedence. */
            readonly media?: readonly components["schemas"]["Medium"][] | (readonly unknown[] | boolean | null | number | Record<string, never> | string);
            /** @description Last day of the legal availability period; not sealed (x-provisional). Absent if the category has no period or the date of placing on the market is unknown. A metadata key of this name takes precedence. */
            readonly availableUntil?: string | (readonly unknown[] | boolean | null | number | Record<string, never> | string);
            /** @description Recall details, if stated; not sealed (x-provisional). A metadata key of this name takes precedence. */
            readonly recall?: components["schemas"]["Recall"] | (readonly unknown[] | boolean | null | number | Record<string, never> | string);
            /** @description Registration, if registered; not sealed (x-provisional). A metadata key of this name takes precedence. */
            readonly registration?: components["schemas"]["ShownRegistration"] | (readonly unknown[] | boolean | null | number | Record<string, never> | string);
        };
        /** @description Members of every passport document. Metadata keys are repeated at the top level unless a fixed field has the same name. */
        readonly PassportCore: {
            /** @description Context of the gateway and a map of further terms, which is empty in lists. */
            readonly "@context": readonly [
                string,
                {
                    readonly [key: string]: unknown;
                }
            ];
            /**
             * @description JSON-LD type.
             * @constant
             */
            readonly "@type": "DigitalProductPassport";
            /**
             * Format: uri
             * @description Same as `digitalLinkUri`.
             */
            readonly "@id": string;
            /**
             * Format: uuid
             * @description Assigned by the gateway.
             */
            readonly id: string;
            /** @description GTIN-14, GRAI or free-form SKU. */
            readonly productId: string;
            /**
             * Format: uri
             * @description GS1 Digital Link of the product; resolves to this passport.
             */
            readonly digitalLinkUri: string;
            /** @description Identifier of the product (EN 18219): the product id if it is a DID or a web address, else `digitalLinkUri`. */
            readonly uniqueProductIdentifier: string;
            /** @description DER signature, Base64; null if unsealed. */
            readonly digitalSeal: string | null;
            /** @description PEM; null if unsealed. */
            readonly signingPublicKey: string | null;
            readonly status: components["schemas"]["PassportStatus"];
            /**
             * Format: date-time
             * @description Archiving time of its operator.
             */
            readonly archivedAt: string | null;
            /**
             * Format: date-time
             * @description End of retention, set when decommissioned or archived.
             */
            readonly retentionUntil: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            readonly updatedAt: string;
            readonly metadata: components["schemas"]["Metadata"];
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description Drafts are not public. Every transition between the other three is allowed.
         * @enum {string}
         */
        readonly PassportStatus: "DRAFT" | "ACTIVE" | "RECALLED" | "DECOMMISSIONED";
        /** @description Seal with all data for offline verification. */
        readonly Proof: {
            /** @description JSON-LD type. */
            readonly "@type": readonly "MerkleTreeAttestationProof"[];
            /**
             * @description Same as `@type`, as a string.
             * @constant
             */
            readonly type: "MerkleTreeAttestationProof";
            /**
             * @description Signature algorithm.
             * @constant
             */
            readonly signatureAlgorithm: "ECDSA-P256-SHA256-over-MerkleRoot";
            /**
             * Format: date-time
             * @description Sealing time.
             */
            readonly created: string;
            /**
             * @description Purpose of the key.
             * @constant
             */
            readonly proofPurpose: "assertionMethod";
            /**
             * Format: uri
             * @description Passport URL with `#key-1`.
             */
            readonly verificationMethod: string;
            /** @description DER signature over the 64 characters of `merkleRoot`, Base64. */
            readonly signatureValue: string;
            /** @description SubjectPublicKeyInfo, PEM. */
            readonly publicKeyPem: string;
            /** @description Certificates of the key, leaf first, DER in Base64. Absent if none existed at sealing. */
            readonly x5c?: readonly string[];
            /** @description Timestamp of the SHA-256 of the 64 characters of `merkleRoot`. Absent if no authority responded at sealing. */
            readonly rfc3161?: {
                /**
                 * Format: date-time
                 * @description Time stated by the authority.
                 */
                readonly genTime: string | null;
                /** @description DER TimeStampToken, Base64. */
                readonly token: string;
            };
            /** @description Root of the tree over the metadata and `@passport`. */
            readonly merkleRoot: string;
            /** @description Hashes of masked leaves by metadata key. Absent if nothing is masked. */
            readonly redactedLeaves?: {
                readonly [key: string]: string;
            };
            /** @description Salts of visible leaves, including `@passport`. */
            readonly salts: {
                readonly [key: string]: string;
            };
            /** @description Sealed identity, the value of the leaf `@passport`. Absent on seals of earlier versions, which are invalid. */
            readonly subject?: {
                /**
                 * Format: uuid
                 * @description Passport UUID.
                 */
                readonly id: string;
                /** @description Product id. */
                readonly productId: string;
                /** @description Sealing operator. */
                readonly operator: {
                    /**
                     * Format: uuid
                     * @description Operator UUID.
                     */
                    readonly id: string;
                    /** @description Registration id. */
                    readonly regId: string;
                };
                /**
                 * Format: date-time
                 * @description Sealing time.
                 */
                readonly created: string;
                /** @description Metadata keys that may be masked. */
                readonly maskable: readonly string[];
            };
        };
        /** @description Responsible economic operator. */
        readonly OperatorInPassport: {
            /**
             * @description JSON-LD type.
             * @constant
             */
            readonly "@type": "EconomicOperator";
            /**
             * Format: uuid
             * @description Assigned by the gateway.
             */
            readonly id: string;
            /** @description Legal name. */
            readonly name: string;
            /** @description Registration id. */
            readonly regId: string;
            /** @description `MANUFACTURER`, `IMPORTER` or other text. */
            readonly role: string;
            readonly contact?: components["schemas"]["OperatorContact"];
        };
        /** @description Operator contact; only stated members. */
        readonly OperatorContact: {
            /** @description Postal address, multi-line. */
            readonly address?: string;
            /** @description E-mail address. */
            readonly email?: string;
            /** @description Telephone number. */
            readonly phone?: string;
            /** @description URL. */
            readonly website?: string;
        };
        /** @description Facility of a passport; address in the owner tier only. */
        readonly FacilityInPassport: {
            /**
             * @description JSON-LD type.
             * @constant
             */
            readonly "@type": "Facility";
            /**
             * Format: uuid
             * @description Assigned by the gateway.
             */
            readonly id: string;
            /** @description GS1 Global Location Number. */
            readonly gln: string;
            /** @description Facility name. */
            readonly name: string;
            /** @description Activity at the facility. */
            readonly activity: string | null;
            /** @description ISO 3166-1 alpha-2. */
            readonly country: string;
            /** @description Owner tier only. */
            readonly streetAddress?: string | null;
            /** @description Owner tier only. */
            readonly city?: string | null;
            /** @description Owner tier only. */
            readonly postalCode?: string | null;
        };
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
        /**
         * @description Relation of this passport to the other one.
         * @enum {string}
         */
        readonly ShownLinkRel: "replaces" | "replacedBy" | "derivedFrom" | "sourceOf" | "hasPart" | "partOf";
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
        /** @description Recall details. */
        readonly Recall: {
            /** @description Defect and remedy; null if not stated. */
            readonly reason: components["schemas"]["BoundedWords"] | null;
            /**
             * Format: date-time
             * @description Start of the recall.
             */
            readonly at: string;
            /** @description E-mail address, telephone number or URL of support. */
            readonly contact: string | null;
            /** @description Further information. */
            readonly url: string | null;
        };
        /** @description Public registration data. Not evidence of compliance. */
        readonly ShownRegistration: {
            /** @description Registry name. */
            readonly registry: string;
            /** @description Assigned by the registry. */
            readonly identifier: string;
            /**
             * Format: date-time
             * @description Registration time.
             */
            readonly registeredAt: string;
            /** @description Version number in the history. */
            readonly version: number;
            /** @description Merkle root of the seal of that version. */
            readonly hash: string;
            /**
             * Format: uri
             * @description URL of the proof of registration.
             */
            readonly proof?: string;
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
        /** @description Invalid request. */
        readonly FrameworkBadRequest: {
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
        /** @description Passport UUID or product id; the UUID is tried first. */
        readonly passportOfUnits: string;
        /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
        readonly lang: string | readonly string[];
        /** @description Required only with cookie sessions. */
        readonly csrf: string;
        /** @description Executes the request once: for 24 hours the same key returns the same response, with `idempotent-replayed: true`. Scoped to the caller: keys with other permissions or operators, keys without read access to passports and units, and other users do not share it. At most 255 characters, no control characters. */
        readonly idempotencyKey: string;
        /** @description Capability token, `dpp_li_…` or `dpp_auth_…`; also accepted as bearer token. An invalid token gives the public tier, not an error. */
        readonly grant: string;
        /** @description File download in this format, regardless of `Accept`: a representation name such as `jsonld`, `html`, `pdf`, `aas`, `aasx`, `untp-vc-jwt`, `data-integrity` or `sd-jwt-vc`. */
        readonly format: string;
    };
    requestBodies: never;
    headers: {
        /** @description Present if the response repeats that of an earlier request with the same key. */
        readonly "idempotent-replayed": "true";
        /** @description `public`; `restricted` with a capability token; `owner` with an API key of the workspace. An invalid credential gives `public`, not an error. */
        readonly "X-Access-Tier": "public" | "restricted" | "owner";
        /** @description Present if the credential unlocks nothing (invalid, expired or for another passport), or if a redirect drops it. */
        readonly "X-Access-Note": string;
        /** @description Audience of the token, with tier `restricted`. */
        readonly "X-Access-Audience": "legitimateInterest" | "authority";
        /** @description Suggested file name. */
        readonly "Content-Disposition": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly listBatches: {
        readonly parameters: {
            readonly query?: {
                /** @description From 1; default 1, also for non-integers. */
                readonly page?: string;
                /** @description Clamped to 1–200; default 100, also for non-integers. */
                readonly limit?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Passport UUID or product id; the UUID is tried first. */
                readonly passportId: components["parameters"]["passportOfUnits"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of batches. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchPage"];
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
    readonly createBatches: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
                /** @description Executes the request once: for 24 hours the same key returns the same response, with `idempotent-replayed: true`. Scoped to the caller: keys with other permissions or operators, keys without read access to passports and units, and other users do not share it. At most 255 characters, no control characters. */
                readonly "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                /** @description Passport UUID or product id; the UUID is tried first. */
                readonly passportId: components["parameters"]["passportOfUnits"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewBatches"];
            };
        };
        readonly responses: {
            /** @description At least one batch was recorded. */
            readonly 201: {
                headers: {
                    readonly "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchesRecorded"];
                };
            };
            /** @description No valid batch, no batch, too many batches, or malformed request. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RowErrors"] | components["schemas"]["StandardError"] | components["schemas"]["FrameworkError"];
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
    readonly getBatch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Batch UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Batch in the owner tier. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/ld+json": components["schemas"]["BatchDocument"];
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
    readonly deleteBatch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description Batch UUID. */
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
    readonly resolvePublicBatch: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
                /** @description Capability token, `dpp_li_…` or `dpp_auth_…`; also accepted as bearer token. An invalid token gives the public tier, not an error. */
                readonly grant?: components["parameters"]["grant"];
                /** @description File download in this format, regardless of `Accept`: a representation name such as `jsonld`, `html`, `pdf`, `aas`, `aasx`, `untp-vc-jwt`, `data-integrity` or `sd-jwt-vc`. */
                readonly format?: components["parameters"]["format"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Batch UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Batch in the negotiated representation and the caller's tier. */
            readonly 200: {
                headers: {
                    readonly "X-Access-Tier": components["headers"]["X-Access-Tier"];
                    readonly "X-Access-Note": components["headers"]["X-Access-Note"];
                    readonly "X-Access-Audience": components["headers"]["X-Access-Audience"];
                    readonly "Content-Disposition": components["headers"]["Content-Disposition"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified. */
            readonly 304: {
                headers: {
                    readonly "X-Access-Tier": components["headers"]["X-Access-Tier"];
                    readonly "X-Access-Note": components["headers"]["X-Access-Note"];
                    readonly "X-Access-Audience": components["headers"]["X-Access-Audience"];
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
