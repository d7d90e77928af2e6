// Made of openapi.yaml by `dpp plugin types`.

export interface paths {
    readonly "/api/v1/passports/labels": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Labels of up to 10,000 passports
         * @description Each with its code, the name of the product, what the code says, and the economic operator: as sheets for a printer (`pdf`), or as one file of each code (`png`, `svg`) in a ZIP with a `manifest.json`. A passport that is named twice is printed twice. What cannot be printed is left out, and told. Up to 500 labels are the answer; more are drawn afterwards, and kept for a day.
         */
        readonly post: operations["printPassportLabels"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/units/labels": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Labels of up to 10,000 battery units
         * @description As for passports. The units are named one by one, or are those of a passport, in the order of their serial numbers (by the bytes of their text), with `from` and `to` a part of them. More than 500 need `passport:read` too, since they are a job.
         */
        readonly post: operations["printUnitLabels"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/label-jobs/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description UUID of the job. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        /**
         * How far labels are that were not drawn at once
         * @description Labels of units need `battery:read` too. A key of one economic operator sees what keys of that operator have asked for. A workspace keeps the last few jobs, each for a day.
         */
        readonly get: operations["getLabelJob"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/label-jobs/{id}/file": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description UUID of the job. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        /**
         * The labels of a job that is done
         * @description Who may ask for the job may fetch its file, as often as they like until it expires.
         */
        readonly get: operations["downloadLabels"];
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
        /** @description Labels of passports, and what they are to be like. */
        readonly PassportLabels: {
            /** @description UUIDs of passports, in the order of printing. */
            readonly ids: readonly string[];
            /**
             * @description Sheets as `pdf`, or files as `png` or `svg` in a ZIP.
             * @default png
             * @enum {string}
             */
            readonly format?: "png" | "svg" | "pdf";
            /**
             * @description `qr`, or `datamatrix` for those that are identified by GS1 keys; the others are left out.
             * @default qr
             * @enum {string}
             */
            readonly symbology?: "qr" | "datamatrix";
            /**
             * @description Width of `png` and `svg` in pixels, clamped to 128–2048.
             * @default 1024
             */
            readonly size?: number;
            /**
             * @description Error correction of QR codes.
             * @default Q
             * @enum {string}
             */
            readonly ecl?: "M" | "Q" | "H";
            /**
             * @description In `svg`, what the code says is written below it, for people.
             * @default false
             */
            readonly hri?: boolean;
            /**
             * @description Beside the code, in `svg` and `pdf`, a line invites to scan it (Regulation (EU) 2026/405, Article 21(4)).
             * @default false
             */
            readonly caption?: boolean;
            /**
             * @description What `pdf` is printed on: sheets of labels such as `L7160` (the default), `L7159`, `L7163` and `5160`, or single labels such as `roll-50x25` and `roll-100x50`. Codes that would be too small on it are left out.
             * @default L7160
             */
            readonly layout?: string;
        };
        /** @description A job. */
        readonly OneLabelJob: {
            /**
             * @description Always.
             * @constant
             */
            readonly success: true;
            readonly job: components["schemas"]["LabelJob"];
        };
        /** @description Labels that are drawn after the answer. */
        readonly LabelJob: {
            /**
             * Format: uuid
             * @description UUID of the job.
             */
            readonly id: string;
            /**
             * @description `waiting`, `working`, `done`: the file can be fetched; `failed`: ask for the labels again.
             * @enum {string}
             */
            readonly status: "waiting" | "working" | "done" | "failed";
            /**
             * @description As it was asked for.
             * @enum {string}
             */
            readonly format: "png" | "svg" | "pdf";
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it is deleted.
             */
            readonly expiresAt: string;
            /** @description Where to ask for it again. */
            readonly url: string;
            /** @description Where its file is, once it is done. */
            readonly file?: string;
            /** @description Size of the file, once it is done. */
            readonly bytes?: number;
            /** @description How many labels there are, once it is done. */
            readonly included?: number;
            /** @description What is on no label, once it is done. */
            readonly skipped?: readonly components["schemas"]["SkippedLabel"][];
        };
        /** @description Something that was asked for and is on no label. */
        readonly SkippedLabel: {
            /** @description As it was named. */
            readonly id: string;
            /**
             * @description `NOT_FOUND` in the workspace; `NOT_GS1`: a DataMatrix was asked for, and its identifiers are not GS1 keys; `TOO_SMALL`: its code would have modules of less than 0.396 mm on this layout, or of less than a pixel.
             * @enum {string}
             */
            readonly reason: "NOT_FOUND" | "NOT_GS1" | "TOO_SMALL";
        };
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
        /** @description Labels of units, and what they are to be like. Needs `ids` or `passportId`, and not both. */
        readonly UnitLabels: {
            /** @description UUIDs of units, in the order of printing. */
            readonly ids?: readonly string[];
            /** @description UUID of the passport whose units are printed. */
            readonly passportId?: string;
            /** @description The first serial number, with `passportId`. */
            readonly from?: string;
            /** @description The last serial number, with `passportId`. */
            readonly to?: string;
            /**
             * @description Sheets as `pdf`, or files as `png` or `svg` in a ZIP.
             * @default png
             * @enum {string}
             */
            readonly format?: "png" | "svg" | "pdf";
            /**
             * @description `qr`, or `datamatrix` for those that are identified by GS1 keys; the others are left out.
             * @default qr
             * @enum {string}
             */
            readonly symbology?: "qr" | "datamatrix";
            /**
             * @description Width of `png` and `svg` in pixels, clamped to 128–2048.
             * @default 1024
             */
            readonly size?: number;
            /**
             * @description Error correction of QR codes.
             * @default Q
             * @enum {string}
             */
            readonly ecl?: "M" | "Q" | "H";
            /**
             * @description In `svg`, what the code says is written below it, for people.
             * @default false
             */
            readonly hri?: boolean;
            /**
             * @description Beside the code, in `svg` and `pdf`, a line invites to scan it (Regulation (EU) 2026/405, Article 21(4)).
             * @default false
             */
            readonly caption?: boolean;
            /**
             * @description What `pdf` is printed on: sheets of labels such as `L7160` (the default), `L7159`, `L7163` and `5160`, or single labels such as `roll-50x25` and `roll-100x50`. Codes that would be too small on it are left out.
             * @default L7160
             */
            readonly layout?: string;
        };
    };
    responses: {
        /** @description The labels. */
        readonly LabelFile: {
            headers: {
                readonly "Content-Disposition": components["headers"]["Content-Disposition"];
                /** @description How many of what was asked for are on no label; `manifest.json` of a ZIP and the job name them. */
                readonly "X-Labels-Skipped"?: string;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/zip": unknown;
                readonly "application/pdf": unknown;
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
        /** @description Not found, or not visible to the workspace. */
        readonly NotFound: {
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
        /** @description The request does not meet the contract. */
        readonly FrameworkBadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FrameworkError"];
            };
        };
    };
    parameters: {
        /** @description Needed with cookie sessions only. */
        readonly csrf: string;
        /** @description Language of the texts for people. Unknown values are ignored; then `Accept-Language`, then `en`. */
        readonly lang: string | readonly string[];
    };
    requestBodies: never;
    headers: {
        /** @description The name under which it is to be saved. */
        readonly "Content-Disposition": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly printPassportLabels: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of the texts for people. Unknown values are ignored; then `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
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
                readonly "application/json": components["schemas"]["PassportLabels"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["LabelFile"];
            /** @description More than 500 labels. They are drawn now; `job` says where to ask. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OneLabelJob"];
                };
            };
            /** @description The request does not say which labels, or asks for what cannot be drawn. */
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
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly printUnitLabels: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of the texts for people. Unknown values are ignored; then `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
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
                readonly "application/json": components["schemas"]["UnitLabels"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["LabelFile"];
            /** @description More than 500 labels. They are drawn now; `job` says where to ask. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OneLabelJob"];
                };
            };
            /** @description The request does not say which labels, or asks for what cannot be drawn. */
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
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
    readonly getLabelJob: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description UUID of the job. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The job. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OneLabelJob"];
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
    readonly downloadLabels: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description UUID of the job. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["LabelFile"];
            readonly 400: components["responses"]["FrameworkBadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["Conflict"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["ServerError"];
        };
    };
}
