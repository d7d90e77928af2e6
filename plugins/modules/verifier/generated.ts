// Made of openapi.yaml by `dpp plugin types`.

export interface paths {
    readonly "/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show the verification page
         * @description Self-contained HTML page in the caller's language that works offline: validates a pasted or dropped document in the browser by the published rule. The fragment `#passport/{id}` loads that passport.
         */
        readonly get: operations["getVerifyPage"];
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
    };
    parameters: {
        /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
        readonly lang: string | readonly string[];
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getVerifyPage: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description HTML page. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            readonly 400: components["responses"]["BareBadRequest"];
            readonly 429: components["responses"]["PublicRateLimited"];
        };
    };
}
