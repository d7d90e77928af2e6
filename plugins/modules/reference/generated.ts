// Made of openapi.yaml by `dpp plugin types`.

export interface paths {
    readonly "/docs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show the API reference
         * @description HTML pages in English, without scripts or external resources: introduction, authentication, and operations by tag. Compressed for callers that accept Brotli.
         */
        readonly get: operations["getApiReference"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/docs/{page}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Tag, operationId, `errors` or `schemas`. */
                readonly page: string;
            };
            readonly cookie?: never;
        };
        /**
         * Show a reference page
         * @description Operations of a tag; one operation with parameters, body, responses, example and command; error formats and codes; or all schemas.
         */
        readonly get: operations["getApiReferencePage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/docs/schemas/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Schema name. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        /**
         * Show a schema
         * @description Members of the schema and the operations that use it.
         */
        readonly get: operations["getApiReferenceSchema"];
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
        /** @description Format of errors of operations without credentials, of grants, and of requests that violate this document when creating or validating a passport. */
        readonly BareError: {
            /** @description HTTP reason phrase. */
            readonly error: string;
            /** @description Human-readable; may change. */
            readonly message: string;
            /** @description Log reference of an internal error. */
            readonly requestId?: string;
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
    };
    responses: {
        /** @description HTML page. */
        readonly ReferencePage: {
            headers: {
                /** @description Entity tag of the page. */
                readonly ETag?: string;
                /** @description `br` for callers that accept it. */
                readonly "Content-Encoding"?: "br";
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/html": string;
            };
        };
        /** @description Invalid request. */
        readonly BareBadRequest: {
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
        /** @description Unknown page. */
        readonly NoReferencePage: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["BareError"];
            };
        };
    };
    parameters: {
        /** @description Cached entity tags. */
        readonly ifNoneMatch: string;
        /** @description `br` enables compression. */
        readonly acceptEncoding: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getApiReference: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Cached entity tags. */
                readonly "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description `br` enables compression. */
                readonly "Accept-Encoding"?: components["parameters"]["acceptEncoding"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ReferencePage"];
            /** @description Not modified. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BareBadRequest"];
            readonly 429: components["responses"]["PublicRateLimited"];
        };
    };
    readonly getApiReferencePage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Cached entity tags. */
                readonly "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description `br` enables compression. */
                readonly "Accept-Encoding"?: components["parameters"]["acceptEncoding"];
            };
            readonly path: {
                /** @description Tag, operationId, `errors` or `schemas`. */
                readonly page: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ReferencePage"];
            /** @description Not modified. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BareBadRequest"];
            readonly 404: components["responses"]["NoReferencePage"];
            readonly 429: components["responses"]["PublicRateLimited"];
        };
    };
    readonly getApiReferenceSchema: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Cached entity tags. */
                readonly "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description `br` enables compression. */
                readonly "Accept-Encoding"?: components["parameters"]["acceptEncoding"];
            };
            readonly path: {
                /** @description Schema name. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ReferencePage"];
            /** @description Not modified. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BareBadRequest"];
            readonly 404: components["responses"]["NoReferencePage"];
            readonly 429: components["responses"]["PublicRateLimited"];
        };
    };
}
