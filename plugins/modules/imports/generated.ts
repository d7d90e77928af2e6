// Made of openapi.yaml by `dpp plugin types`.

export interface paths {
    readonly "/api/v1/imports": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List imports
         * @description At most 50, newest first. Operator-scoped keys see only imports of keys of their operator.
         */
        readonly get: operations["listImports"];
        readonly put?: never;
        /**
         * Import passports from a file
         * @description The body is the file, at most 32 MiB and 100,000 rows: CSV, an .xlsx workbook, JSON Lines or an AASX package. It
         *     is imported after the response, in batches of 200 rows with the rules of `bulkIngestPassports`; `Location` is
         *     the progress. A rejected row is listed in `errors` with the reason and does not affect others; a file that
         *     cannot be read completely stores nothing. Existing products of the operator are rejected.
         *
         *     Tables have one header row, among the first ten rows, with keys: `productId`, `category`, `productName`, dots
         *     for groups (`recycledContent.cobalt`) and numbers for lists (`materialComposition.1.material`). Lists of texts
         *     or numbers may also be in one cell, `a; b; c`. `operatorId` and `facilityId` work as in a bulk; the column
         *     `metadata` may contain a JSON object with values that have no column; `error` and columns that begin with `#`
         *     are ignored. The template of a category has all headers. In a workbook the sheet `Passports` is read, else the
         *     first; formulas count with their cached value, merged cells are rejected, and macros are never read. Numbers
         *     follow their number format: dates become dates, percentages their number (30% is 30), times the displayed text;
         *     text columns use the displayed text of cells with words or leading zeros; formats in thousands or millions are
         *     rejected. Missing leading zeros of a GTIN in `productId` or `gtin` are restored if the check digit matches: for
         *     numbers of 8 to 13 digits, and texts of 8, 12 or 13; shortened numbers such as 9.50601E+12 are rejected. CSV is
         *     UTF-8, UTF-16 with a byte order mark, or `charset`, separated by comma, semicolon, tab or bar. Unambiguous
         *     decimal commas are accepted, and `="00012"` is read as its text. Each line of JSON Lines is a row of a bulk.
         *
         *     A rejected row lists all its errors. `remarks` are warnings, such as product ids that are not GS1 keys and
         *     columns unknown to the category.
         *
         *     In an AASX package (IDTA-01005) each shell is a row, with the submodels that it references, processed like
         *     `ingestPassportFromAas`: the submodel `ComplianceMetadata` is the metadata, and a seal must be one of this
         *     workspace over it, which requires `passport:seal`. Existing products are rejected, not replaced. Environments
         *     are JSON or XML of AAS 3.0 to 3.2, at most 16 MiB each and 1 MiB per shell; XML of AAS 1 and 2 is rejected as a
         *     row. Relationships to parts of the package are followed regardless of `TargetMode`, those to URLs are not. Other
         *     files, such as pictures, are not imported.
         *
         *     With `draft` the rows become drafts instead of published passports, by the same rules; the role `EDITOR` must
         *     set it.
         *
         *     The same file with the same category, operator and `draft` is imported once: repeating it returns 200 with the existing import, unless
         *     that failed or `anew` is set. A dry run validates everything and creates nothing, but does not detect conflicts
         *     between rows of different batches. At most two imports per workspace run at a time.
         */
        readonly post: operations["importPassports"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/imports/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Import UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        /**
         * Read an import
         * @description Progress and results. Retained for one week. Operator-scoped keys see only imports of keys of their operator.
         */
        readonly get: operations["getImport"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/imports/{id}/errors": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Import UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        /**
         * Download rejected rows
         * @description CSV in UTF-8 with the headers of the file plus `error` and `#row`, and with the category and operator that the request chose; corrected, it can be imported again. For JSON Lines the column `document` has the line; for shells the column `shell` has the location in the package. Above 16 MiB only the reasons are stored.
         */
        readonly get: operations["getImportErrors"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/imports/templates/{category}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Passport category. */
                readonly category: string;
            };
            readonly cookie?: never;
        };
        /**
         * Download an import template
         * @description Row 1 has labels in the caller's language, row 2 the headers, row 3 the accepted values; data follows. Workbooks offer value lists and countries. Unused columns may be deleted; lists of groups have columns for three entries.
         */
        readonly get: operations["getImportTemplate"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/passports/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Export passports to a file
         * @description All passports of the list, newest first, streamed. Tables have a column per key known to a category; other values, and those that cannot be re-imported exactly, are JSON in the column `metadata`. Columns that begin with `#` are informative. In CSV an apostrophe protects texts that a spreadsheet would evaluate as a formula; an import removes it. Passports with JSON longer than four cells have `true` under `#incomplete`; JSON Lines has all. AASX packages have the shells without seals, in as few environments as possible. Role `BRAND_OPERATOR` sees the owner tier, other callers the public tier.
         */
        readonly get: operations["exportPassports"];
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
        /** @description Imports. */
        readonly ImportList: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            /** @description Newest first. */
            readonly imports: readonly components["schemas"]["Import"][];
        };
        /** @description Import of a file of passports. */
        readonly Import: {
            /**
             * Format: uuid
             * @description Import UUID.
             */
            readonly id: string;
            /**
             * @description `failed`: unreadable file or internal failure, see `failure`.
             * @enum {string}
             */
            readonly status: "waiting" | "working" | "done" | "failed";
            /**
             * @description File format.
             * @enum {string}
             */
            readonly format: "csv" | "xlsx" | "jsonl" | "aasx";
            /** @description True: validates only. */
            readonly dryRun: boolean;
            /** @description True: creates drafts. */
            readonly draft?: boolean;
            /** @description Default category of the rows. */
            readonly category?: string;
            /**
             * Format: uuid
             * @description Default operator of the rows.
             */
            readonly operatorId?: string;
            /** @description File size. */
            readonly bytes: number;
            /** @description Sheet read from the workbook. */
            readonly sheet?: string;
            /** @description Row counts, without header. */
            readonly rows: {
                /** @description Null until the file is completely read. */
                readonly total: number | null;
                /** @description Processed rows. */
                readonly read: number;
                /** @description Created passports; in a dry run, passports that would be created. */
                readonly created: number;
                /** @description Rejected rows. */
                readonly refused: number;
            };
            /** @description Processed fraction, 0 to 1. */
            readonly progress: number;
            /** @description First rejected rows; the complete list is at `errorsUrl`. */
            readonly errors: readonly {
                /** @description Row number of the spreadsheet; line of JSON Lines; position of the shell in its package. */
                readonly row: number;
                /** @description Product id of the row. */
                readonly productId?: string;
                /** @description Reason, with cells, or part and shell. */
                readonly message: string;
            }[];
            /** @description First created passports. */
            readonly passports?: readonly {
                /**
                 * Format: uuid
                 * @description Passport UUID.
                 */
                readonly id: string;
                /** @description Product id. */
                readonly productId: string;
            }[];
            /** @description Notable cells and content; at most 50 kinds. */
            readonly remarks: readonly {
                /**
                 * @description `FILES_IGNORED`: package files that are not imported; upload them as media. `FORMULA_VALUE_TAKEN`: cached value of a formula used. `GTIN_PADDED`: leading zeros of a GTIN restored. `MACROS_IGNORED`: workbook with macros. Others: see `AdvisoryCode`. New codes may be added.
                 * @enum {string}
                 */
                readonly code: "FILES_IGNORED" | "FORMULA_VALUE_TAKEN" | "GTIN_PADDED" | "MACROS_IGNORED" | "NON_GS1_PRODUCT_ID" | "PII_SHAPE_DETECTED" | "UNKNOWN_KEY" | "GTIN_NEEDS_PADDING";
                /** @description Number of rows or cells. */
                readonly count: number;
                /** @description First cell, line, shell or file; header of an unknown column. */
                readonly place?: string;
                /** @description Metadata path, or `productId`. */
                readonly path?: string;
                /** @description In the language of the import; only for remarks on content. */
                readonly message?: string;
            }[];
            /** @description Reason for the failure, with the position in the file. */
            readonly failure?: string;
            /**
             * Format: date-time
             * @description Upload time.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Time of completion or failure.
             */
            readonly finishedAt?: string;
            /**
             * Format: date-time
             * @description Deletion time.
             */
            readonly expiresAt: string;
            /** @description Import URL. */
            readonly url: string;
            /** @description URL of the rejected rows; absent if none. */
            readonly errorsUrl?: string;
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
        /** @description A requested import. */
        readonly ImportStarted: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            /** @description Import. */
            readonly import: components["schemas"]["Import"];
            /** @description True if the import of the same file already existed. */
            readonly isRepeated: boolean;
        };
        /** @description An import. */
        readonly OneImport: {
            /**
             * @description Constant.
             * @constant
             */
            readonly success: true;
            /** @description Import. */
            readonly import: components["schemas"]["Import"];
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
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly listImports: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Imports of the workspace. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ImportList"];
                };
            };
            readonly 400: components["responses"]["FrameworkBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly importPassports: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
                /** @description `true` validates all rows and creates nothing. */
                readonly dryRun?: "true" | "false";
                /** @description `true` repeats the import of the same file. */
                readonly anew?: "true" | "false";
                /** @description `true` creates drafts. */
                readonly draft?: "true" | "false";
                /** @description Default operator of the rows; without it the first of the workspace. */
                readonly operatorId?: string;
                /** @description Default category of the rows. */
                readonly category?: string;
                /** @description Keys of a table with other headings, as a JSON object such as `{"Article":"productId"}`; an empty key ignores the column. */
                readonly columns?: string;
                /** @description Encoding of CSV without a byte order mark. */
                readonly charset?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
            };
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "text/csv": unknown;
                readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                readonly "application/x-ndjson": unknown;
                readonly "application/jsonl": unknown;
                readonly "application/aas+zip": unknown;
                readonly "application/asset-administration-shell-package": unknown;
                readonly "application/asset-administration-shell-package+xml": unknown;
            };
        };
        readonly responses: {
            /** @description Existing import of the same file. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ImportStarted"];
                };
            };
            /** @description Import queued. */
            readonly 202: {
                headers: {
                    /** @description Import URL. */
                    readonly Location?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ImportStarted"];
                };
            };
            /** @description No file, unknown category, or malformed parameter. */
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
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly getImport: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Import UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Import. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OneImport"];
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
    readonly getImportErrors: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Import UUID. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Rows rejected so far. */
            readonly 200: {
                headers: {
                    /** @description File name. */
                    readonly "Content-Disposition"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
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
    readonly getImportTemplate: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
                /** @description File format. */
                readonly format?: "csv" | "xlsx";
            };
            readonly header?: never;
            readonly path: {
                /** @description Passport category. */
                readonly category: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Template. */
            readonly 200: {
                headers: {
                    /** @description File name. */
                    readonly "Content-Disposition"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
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
    readonly exportPassports: {
        readonly parameters: {
            readonly query?: {
                /** @description File format. */
                readonly format?: "csv" | "xlsx" | "jsonl" | "aasx";
                /** @description Exact match on `metadata.category`. */
                readonly category?: string;
                /** @description Exact match on `metadata.originCountry`. */
                readonly originCountry?: string;
                /** @description Format of the environments in an AASX package; default JSON. */
                readonly environments?: "json" | "xml-3.0" | "xml-3.1";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Catalogue. */
            readonly 200: {
                headers: {
                    /** @description File name. */
                    readonly "Content-Disposition"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    readonly "application/x-ndjson": string;
                    readonly "application/aas+zip": unknown;
                };
            };
            /** @description Malformed parameter, or `environments` without `format=aasx`. */
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
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
}
