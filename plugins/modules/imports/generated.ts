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
         * The last imports of the workspace, newest first
         * @description At most 50. A key of one economic operator sees the imports of keys of that operator.
         */
        readonly get: operations["listImports"];
        readonly put?: never;
        /**
         * Take passports in from a spreadsheet or a file of lines
         * @description The body is the file itself, of at most 32 MiB and 100,000 rows: comma-separated values, an .xlsx workbook, JSON Lines or an AASX package. It is taken in after the answer, in batches of 200 rows that are judged and stored as a bulk has them; `Location` says how far it is. A row that is refused leaves the others alone, and `errors` has it with the reason; a file that cannot be read to its end stores nothing. A product that the operator has already is refused.
         *
         *     A table has one row of headings, among the first ten, which are keys: `productId`, `category`, `productName`, with dots into groups (`recycledContent.cobalt`) and with a number into lists (`materialComposition.1.material`). A list of texts or numbers may also stand in one cell, `a; b; c`. `operatorId` and `facilityId` are as in a bulk, the column `metadata` may hold a JSON object with what has no column, and columns that begin with `#`, and `error`, are not read. A template of a category has all headings. Of a workbook the sheet `Passports` is read, else the first; a cell with a formula counts with its last value, and merged cells are refused. Macros are never read. Numbers are read by their number format: dates as dates, percentages as the number of percent (30% is 30), times as the text that is shown; text columns take the text of a cell that shows words or leading zeros; a cell that shows thousands or millions is refused. A GTIN in `productId` or `gtin` that lost its zeros gets them back if its check digit fits: a number of 8 to 13 digits, a text of 8, 12 or 13; a shortened one such as 9.50601E+12 is refused. Comma-separated values are UTF-8, or UTF-16 with a byte order mark, or what `charset` says; a comma, a semicolon, a tab or a bar separates them. A decimal comma is read where there is one way to read it, and a cell such as `="00012"` is the text that it shows. A line of JSON Lines is a row of a bulk.
         *
         *     A refused row has all that is wrong with it. `remarks` name what is worth a look and refuses nothing: among others product ids that are not GS1 keys, and columns that no schema of the category has.
         *
         *     In an AASX package (IDTA-01005) each shell is a row, with the submodels to which it refers, and read as the ingest of an environment reads it: the submodel `ComplianceMetadata` is the metadata, and a seal must be one that this workspace has made over it, which needs `passport:seal`. But a product that is there is refused, and not replaced. Environments are JSON, or XML of AAS 3.0 to 3.2, of at most 16 MiB each and 1 MiB a shell; XML of AAS 1 and 2 is refused as a row. A relationship to a part of the package is followed whatever its `TargetMode` is, one to a URL is not. Other files in the package, such as pictures, are not taken in.
         *
         *     The same file with the same category is taken in once: the answer is then 200 with the import that there is, unless that has failed or `anew` is set. A dry run judges everything and creates nothing; what two rows of different batches have in common it does not see. At most two imports of a workspace are at work.
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
                /** @description UUID of the import. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        /**
         * How far an import is, and what has become of its rows
         * @description An import is kept for a week. A key of one economic operator sees the imports of keys of that operator.
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
                /** @description UUID of the import. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        /**
         * The refused rows of an import, each with the reason
         * @description Comma-separated values in UTF-8 under the headings of the file, with the columns `error` and `#row`; mended, the file may be sent as it is. Lines of JSON Lines stand in the column `document`; of shells the place in the package is told, in the column `shell`. Beyond 16 MiB the reasons alone are kept.
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
                /** @description A category of passports. */
                readonly category: string;
            };
            readonly cookie?: never;
        };
        /**
         * An empty table of a category, to be filled in and imported
         * @description Its first row has the labels in the caller's language, the second the headings by which an import knows the columns, the third what each column takes; an import reads what is below. A workbook offers the values of columns that have a list of them, and the countries. Columns that are not needed may be deleted, and a list of groups has columns for three entries.
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
         * The workspace's catalogue as a file that an import reads
         * @description All passports that the list has, newest first, made while they are read. In a table each key that a category knows has a column of its own; what has none, or would not be read again as it is, stands as JSON in the column `metadata`. Columns that begin with `#` are for people. In comma-separated values an apostrophe stands before a text that a spreadsheet program would take for a formula, and an import takes it off again. A passport whose JSON is longer than four cells has `true` under `#incomplete`; JSON Lines have all. An AASX package has the shell of each, in as few environments as hold them, without seals. Callers with role `BRAND_OPERATOR` see the owner tier, every other caller the public tier.
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
             * @description Always.
             * @constant
             */
            readonly success: true;
            /** @description Newest first. */
            readonly imports: readonly components["schemas"]["Import"][];
        };
        /** @description A file of passports that is taken in. */
        readonly Import: {
            /**
             * Format: uuid
             * @description UUID of the import.
             */
            readonly id: string;
            /**
             * @description `failed` says that the file could not be read, or the work not be done; `failure` says why.
             * @enum {string}
             */
            readonly status: "waiting" | "working" | "done" | "failed";
            /**
             * @description What the file is.
             * @enum {string}
             */
            readonly format: "csv" | "xlsx" | "jsonl" | "aasx";
            /** @description Everything is judged and nothing created. */
            readonly dryRun: boolean;
            /** @description Of rows that name none. */
            readonly category?: string;
            /** @description Size of the file. */
            readonly bytes: number;
            /** @description The sheet of the workbook that is read. */
            readonly sheet?: string;
            /** @description How many rows there are below the headings, and what has become of them. */
            readonly rows: {
                /** @description Null until the file has been read through. */
                readonly total: number | null;
                /** @description Rows that are done. */
                readonly read: number;
                /** @description Rows that have become passports; in a dry run those that would. */
                readonly created: number;
                /** @description Rows that were refused. */
                readonly refused: number;
            };
            /** @description Part of the rows that is done. */
            readonly progress: number;
            /** @description The first of the refused rows; all of them are at `errorsUrl`. */
            readonly errors: readonly {
                /** @description As spreadsheets count; the line of JSON Lines, and the place of the shell in the order of its package. */
                readonly row: number;
                /** @description As the row has it. */
                readonly productId?: string;
                /** @description Why, with the cells that it is about, or the part and the shell. */
                readonly message: string;
            }[];
            /** @description Treatment of cells that their writer may want to know of, and content that is worth a look; at most 50 kinds. */
            readonly remarks: readonly {
                /**
                 * @description `FILES_IGNORED`: a package has files that are not imported; send them to the media of their passports. `FORMULA_VALUE_TAKEN`: a formula counted with the value that it had last. `GTIN_PADDED`: a GTIN got its leading zeros back. `MACROS_IGNORED`: the workbook has macros. Others: see `AdvisoryCode`. New codes may come.
                 * @enum {string}
                 */
                readonly code: "FILES_IGNORED" | "FORMULA_VALUE_TAKEN" | "GTIN_PADDED" | "MACROS_IGNORED" | "NON_GS1_PRODUCT_ID" | "PII_SHAPE_DETECTED" | "UNKNOWN_KEY" | "GTIN_NEEDS_PADDING";
                /** @description Number of rows or cells. */
                readonly count: number;
                /** @description The first cell, line, shell or file; the heading of an unknown column. */
                readonly place?: string;
                /** @description Member of the metadata, or `productId`. */
                readonly path?: string;
                /** @description In the language of the import; only for remarks on the content. */
                readonly message?: string;
            }[];
            /** @description Why the import came to nothing, with the place in the file. */
            readonly failure?: string;
            /**
             * Format: date-time
             * @description When the file came in.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it was done, or had failed.
             */
            readonly finishedAt?: string;
            /**
             * Format: date-time
             * @description Until when it is kept.
             */
            readonly expiresAt: string;
            /** @description Says how far it is. */
            readonly url: string;
            /** @description The refused rows; absent where none is. */
            readonly errorsUrl?: string;
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
        /** @description An import that was asked for. */
        readonly ImportStarted: {
            /**
             * @description Always.
             * @constant
             */
            readonly success: true;
            /** @description The import. */
            readonly import: components["schemas"]["Import"];
            /** @description Whether it is the import of the same file that was there already. */
            readonly isRepeated: boolean;
        };
        /** @description An import. */
        readonly OneImport: {
            /**
             * @description Always.
             * @constant
             */
            readonly success: true;
            /** @description The import. */
            readonly import: components["schemas"]["Import"];
        };
    };
    responses: {
        /** @description The request does not meet the contract. */
        readonly FrameworkBadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FrameworkError"];
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
        /** @description Language of the texts for people. Unknown values are ignored; then `Accept-Language`, then `en`. */
        readonly lang: string | readonly string[];
        /** @description Needed with cookie sessions only. */
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
            /** @description The imports. */
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
                /** @description Language of the texts for people. Unknown values are ignored; then `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
                /** @description true judges all rows and creates nothing. */
                readonly dryRun?: "true" | "false";
                /** @description true takes in a file again that was taken in before. */
                readonly anew?: "true" | "false";
                /** @description Category of the rows that name none. */
                readonly category?: string;
                /** @description How the characters of comma-separated values are written, where no byte order mark says so. */
                readonly charset?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
            };
            readonly header?: {
                /** @description Needed with cookie sessions only. */
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
            /** @description The same file was taken in before, or is being taken in. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ImportStarted"];
                };
            };
            /** @description It will be taken in. */
            readonly 202: {
                headers: {
                    /** @description Says how far it is. */
                    readonly Location?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ImportStarted"];
                };
            };
            /** @description There is no file, no such category, or a parameter is malformed. */
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
                /** @description UUID of the import. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The import. */
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
                /** @description UUID of the import. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rows that were refused so far. */
            readonly 200: {
                headers: {
                    /** @description The name of the file. */
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
                /** @description Language of the texts for people. Unknown values are ignored; then `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
                /** @description What kind of file. */
                readonly format?: "csv" | "xlsx";
            };
            readonly header?: never;
            readonly path: {
                /** @description A category of passports. */
                readonly category: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The table. */
            readonly 200: {
                headers: {
                    /** @description The name of the file. */
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
                /** @description What kind of file. */
                readonly format?: "csv" | "xlsx" | "jsonl" | "aasx";
                /** @description Exact match on `metadata.category`. */
                readonly category?: string;
                /** @description Exact match on `metadata.originCountry`. */
                readonly originCountry?: string;
                /** @description Format of the environments in an AASX package; JSON by default. */
                readonly environments?: "json" | "xml-3.0" | "xml-3.1";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The catalogue. */
            readonly 200: {
                headers: {
                    /** @description The name of the file. */
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
            /** @description A parameter is malformed, or `environments` is there without `format=aasx`. */
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
