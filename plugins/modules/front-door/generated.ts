// Made of openapi.yaml by `dpp plugin types`.

export interface paths {
    readonly "/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show the front page
         * @description HTML search page. `q` is a GTIN (8, 12, 13 or 14 digits), a GRAI, a passport or unit UUID, an article number or a link: redirects to the match, or shows the error. The keys of a GS1 Digital Link of another host are looked up here; there are no redirects to other hosts.
         */
        readonly get: operations["getFrontPage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sw.js": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Load the offline script
         * @description Service worker that caches public pages, network first, and never pages opened with a token. Cached copies are labelled.
         */
        readonly get: operations["getServiceWorker"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/code-reader/{file}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Module file. */
                readonly file: string;
            };
            readonly cookie?: never;
        };
        /**
         * Load the code reader
         * @description `decode.js` and its imports. The front page loads them if a picture is chosen and the browser has no barcode API.
         */
        readonly get: operations["getCodeReader"];
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
        /** @description Malformed key in the URL. */
        readonly PublicBadRequest: {
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
        /** @description Invalid request. */
        readonly BareBadRequest: {
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
    };
    parameters: {
        /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
        readonly lang: string | readonly string[];
        /** @description Number or link; the first value counts. */
        readonly sought: string | readonly string[];
    };
    requestBodies: never;
    headers: {
        /** @description Target URL; includes the query except `grant`. */
        readonly Location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getFrontPage: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
                /** @description Number or link; the first value counts. */
                readonly q?: components["parameters"]["sought"];
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
            /** @description Search result, a path of this host. */
            readonly 303: {
                headers: {
                    readonly Location: components["headers"]["Location"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["PublicBadRequest"];
            /** @description HTML page with "no match". */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly getServiceWorker: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Service worker. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/javascript": string;
                };
            };
            readonly 400: components["responses"]["BareBadRequest"];
            readonly 429: components["responses"]["PublicRateLimited"];
        };
    };
    readonly getCodeReader: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Module file. */
                readonly file: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description JavaScript module. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/javascript": string;
                };
            };
            readonly 400: components["responses"]["BareBadRequest"];
            readonly 404: components["responses"]["PublicNotFound"];
            readonly 429: components["responses"]["PublicRateLimited"];
        };
    };
}
