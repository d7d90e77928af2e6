// Made of openapi.yaml by `dpp plugin types`.

export interface paths {
    readonly "/console": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show the console
         * @description HTML page. Without a session, redirects to the sign-in page.
         */
        readonly get: operations["showConsoleHome"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/console/assets/{file}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Name with a hash of the content. */
                readonly file: string;
            };
            readonly cookie?: never;
        };
        /**
         * Load the style sheet or script
         * @description Style sheet or script of the console.
         */
        readonly get: operations["getConsoleAsset"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/console/sign-in": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show the sign-in page
         * @description HTML page with the ways to sign in.
         */
        readonly get: operations["showConsoleSignIn"];
        readonly put?: never;
        /**
         * Request a sign-in link
         * @description E-mails a sign-in link. The response is the same for unknown addresses.
         */
        readonly post: operations["requestConsoleSignIn"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/console/sign-in/{secret}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Secret of a link. */
                readonly secret: components["parameters"]["consoleSecret"];
            };
            readonly cookie?: never;
        };
        /**
         * Show the button of a sign-in link
         * @description HTML page with a button. It does not use the link, so that mail scanners do not either.
         */
        readonly get: operations["showConsoleLink"];
        readonly put?: never;
        /**
         * Sign in by link
         * @description Uses the link, which holds once, and opens a session.
         */
        readonly post: operations["useConsoleLink"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/console/upload/{page}/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Page. */
                readonly page: components["parameters"]["consolePage"];
                /** @description Subject of the page. */
                readonly id: components["parameters"]["consoleId"];
            };
            readonly cookie?: never;
        };
        /**
         * Return to a form with a file
         * @description Redirects to the page of the same address without `/upload`.
         */
        readonly get: operations["showConsoleUpload"];
        readonly put?: never;
        /**
         * Submit a console form with a file
         * @description Form with files (RFC 7578), for the page of the same address without `/upload`.
         */
        readonly post: operations["uploadToConsole"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/console/{page}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Page. */
                readonly page: components["parameters"]["consolePage"];
            };
            readonly cookie?: never;
        };
        /**
         * Show a console page
         * @description HTML page, or a file to save. Without a session, redirects to the sign-in page.
         */
        readonly get: operations["showConsolePage"];
        readonly put?: never;
        /**
         * Submit a console form
         * @description Form with the CSRF token of the session. Redirects to the next page, or shows the form with its errors.
         */
        readonly post: operations["sendConsolePage"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/console/{page}/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Page. */
                readonly page: components["parameters"]["consolePage"];
                /** @description Subject of the page. */
                readonly id: components["parameters"]["consoleId"];
            };
            readonly cookie?: never;
        };
        /**
         * Show a console subject
         * @description HTML page, or a file to save. Without a session, redirects to the sign-in page.
         */
        readonly get: operations["showConsoleSubject"];
        readonly put?: never;
        /**
         * Submit a form about a subject
         * @description Form with the CSRF token of the session. Redirects to the next page, or shows the form with its errors.
         */
        readonly post: operations["sendConsoleSubject"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/console/{page}/{id}/{part}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Page. */
                readonly page: components["parameters"]["consolePage"];
                /** @description Subject of the page. */
                readonly id: components["parameters"]["consoleId"];
                /** @description Part of the subject. */
                readonly part: components["parameters"]["consolePart"];
            };
            readonly cookie?: never;
        };
        /**
         * Show a part of a console subject
         * @description HTML page, or a file to save. Without a session, redirects to the sign-in page.
         */
        readonly get: operations["showConsolePart"];
        readonly put?: never;
        /**
         * Submit a form about a part of a subject
         * @description Form with the CSRF token of the session. Redirects to the next page, or shows the form with its errors.
         */
        readonly post: operations["sendConsolePart"];
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
        /** @description HTML page, or a file. */
        readonly ConsoleFile: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/html": string;
                readonly "text/csv": string;
                readonly "application/x-ndjson": string;
                readonly "application/json": unknown;
                readonly "application/ld+json": unknown;
                readonly "application/pdf": unknown;
                readonly "application/zip": unknown;
                readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                readonly "image/png": unknown;
                readonly "image/webp": unknown;
                readonly "image/svg+xml": string;
            };
        };
        /** @description Path of the next page. */
        readonly ConsoleRedirect: {
            headers: {
                readonly Location: components["headers"]["Location"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description HTML page with the error; JSON if the request is malformed. */
        readonly ConsoleProblem: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/html": string;
                readonly "application/json": Record<string, never>;
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
        /** @description Secret of a link. */
        readonly consoleSecret: string;
        /** @description Page. */
        readonly consolePage: string;
        /** @description Subject of the page. */
        readonly consoleId: string;
        /** @description Part of the subject. */
        readonly consolePart: string;
    };
    requestBodies: {
        readonly ConsoleForm: {
            readonly content: {
                readonly "application/x-www-form-urlencoded": {
                    readonly [key: string]: unknown;
                };
            };
        };
    };
    headers: {
        /** @description Target URL; includes the query except `grant`. */
        readonly Location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly showConsoleHome: {
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
            readonly 200: components["responses"]["ConsoleFile"];
            readonly 303: components["responses"]["ConsoleRedirect"];
            readonly 400: components["responses"]["ConsoleProblem"];
            readonly 401: components["responses"]["ConsoleProblem"];
            readonly 402: components["responses"]["ConsoleProblem"];
            readonly 403: components["responses"]["ConsoleProblem"];
            readonly 404: components["responses"]["ConsoleProblem"];
            readonly 409: components["responses"]["ConsoleProblem"];
            readonly 412: components["responses"]["ConsoleProblem"];
            readonly 413: components["responses"]["ConsoleProblem"];
            readonly 415: components["responses"]["ConsoleProblem"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly getConsoleAsset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Name with a hash of the content. */
                readonly file: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Style sheet or script. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/css": string;
                    readonly "text/javascript": string;
                };
            };
            readonly 400: components["responses"]["BareBadRequest"];
            readonly 404: components["responses"]["PublicNotFound"];
            readonly 429: components["responses"]["PublicRateLimited"];
        };
    };
    readonly showConsoleSignIn: {
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
            readonly 200: components["responses"]["ConsoleFile"];
            readonly 303: components["responses"]["ConsoleRedirect"];
            readonly 400: components["responses"]["ConsoleProblem"];
            readonly 401: components["responses"]["ConsoleProblem"];
            readonly 402: components["responses"]["ConsoleProblem"];
            readonly 403: components["responses"]["ConsoleProblem"];
            readonly 404: components["responses"]["ConsoleProblem"];
            readonly 409: components["responses"]["ConsoleProblem"];
            readonly 412: components["responses"]["ConsoleProblem"];
            readonly 413: components["responses"]["ConsoleProblem"];
            readonly 415: components["responses"]["ConsoleProblem"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly requestConsoleSignIn: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: components["requestBodies"]["ConsoleForm"];
        readonly responses: {
            readonly 200: components["responses"]["ConsoleFile"];
            readonly 303: components["responses"]["ConsoleRedirect"];
            readonly 400: components["responses"]["ConsoleProblem"];
            readonly 401: components["responses"]["ConsoleProblem"];
            readonly 402: components["responses"]["ConsoleProblem"];
            readonly 403: components["responses"]["ConsoleProblem"];
            readonly 404: components["responses"]["ConsoleProblem"];
            readonly 409: components["responses"]["ConsoleProblem"];
            readonly 412: components["responses"]["ConsoleProblem"];
            readonly 413: components["responses"]["ConsoleProblem"];
            readonly 415: components["responses"]["ConsoleProblem"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly showConsoleLink: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Secret of a link. */
                readonly secret: components["parameters"]["consoleSecret"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ConsoleFile"];
            readonly 303: components["responses"]["ConsoleRedirect"];
            readonly 400: components["responses"]["ConsoleProblem"];
            readonly 401: components["responses"]["ConsoleProblem"];
            readonly 402: components["responses"]["ConsoleProblem"];
            readonly 403: components["responses"]["ConsoleProblem"];
            readonly 404: components["responses"]["ConsoleProblem"];
            readonly 409: components["responses"]["ConsoleProblem"];
            readonly 412: components["responses"]["ConsoleProblem"];
            readonly 413: components["responses"]["ConsoleProblem"];
            readonly 415: components["responses"]["ConsoleProblem"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly useConsoleLink: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Secret of a link. */
                readonly secret: components["parameters"]["consoleSecret"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: components["requestBodies"]["ConsoleForm"];
        readonly responses: {
            readonly 200: components["responses"]["ConsoleFile"];
            readonly 303: components["responses"]["ConsoleRedirect"];
            readonly 400: components["responses"]["ConsoleProblem"];
            readonly 401: components["responses"]["ConsoleProblem"];
            readonly 402: components["responses"]["ConsoleProblem"];
            readonly 403: components["responses"]["ConsoleProblem"];
            readonly 404: components["responses"]["ConsoleProblem"];
            readonly 409: components["responses"]["ConsoleProblem"];
            readonly 412: components["responses"]["ConsoleProblem"];
            readonly 413: components["responses"]["ConsoleProblem"];
            readonly 415: components["responses"]["ConsoleProblem"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly showConsoleUpload: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Page. */
                readonly page: components["parameters"]["consolePage"];
                /** @description Subject of the page. */
                readonly id: components["parameters"]["consoleId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ConsoleFile"];
            readonly 303: components["responses"]["ConsoleRedirect"];
            readonly 400: components["responses"]["ConsoleProblem"];
            readonly 401: components["responses"]["ConsoleProblem"];
            readonly 402: components["responses"]["ConsoleProblem"];
            readonly 403: components["responses"]["ConsoleProblem"];
            readonly 404: components["responses"]["ConsoleProblem"];
            readonly 409: components["responses"]["ConsoleProblem"];
            readonly 412: components["responses"]["ConsoleProblem"];
            readonly 413: components["responses"]["ConsoleProblem"];
            readonly 415: components["responses"]["ConsoleProblem"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly uploadToConsole: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Page. */
                readonly page: components["parameters"]["consolePage"];
                /** @description Subject of the page. */
                readonly id: components["parameters"]["consoleId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "multipart/form-data": {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["ConsoleFile"];
            readonly 303: components["responses"]["ConsoleRedirect"];
            readonly 400: components["responses"]["ConsoleProblem"];
            readonly 401: components["responses"]["ConsoleProblem"];
            readonly 402: components["responses"]["ConsoleProblem"];
            readonly 403: components["responses"]["ConsoleProblem"];
            readonly 404: components["responses"]["ConsoleProblem"];
            readonly 409: components["responses"]["ConsoleProblem"];
            readonly 412: components["responses"]["ConsoleProblem"];
            readonly 413: components["responses"]["ConsoleProblem"];
            readonly 415: components["responses"]["ConsoleProblem"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly showConsolePage: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Page. */
                readonly page: components["parameters"]["consolePage"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ConsoleFile"];
            readonly 303: components["responses"]["ConsoleRedirect"];
            readonly 400: components["responses"]["ConsoleProblem"];
            readonly 401: components["responses"]["ConsoleProblem"];
            readonly 402: components["responses"]["ConsoleProblem"];
            readonly 403: components["responses"]["ConsoleProblem"];
            readonly 404: components["responses"]["ConsoleProblem"];
            readonly 409: components["responses"]["ConsoleProblem"];
            readonly 412: components["responses"]["ConsoleProblem"];
            readonly 413: components["responses"]["ConsoleProblem"];
            readonly 415: components["responses"]["ConsoleProblem"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly sendConsolePage: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Page. */
                readonly page: components["parameters"]["consolePage"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: components["requestBodies"]["ConsoleForm"];
        readonly responses: {
            readonly 200: components["responses"]["ConsoleFile"];
            readonly 303: components["responses"]["ConsoleRedirect"];
            readonly 400: components["responses"]["ConsoleProblem"];
            readonly 401: components["responses"]["ConsoleProblem"];
            readonly 402: components["responses"]["ConsoleProblem"];
            readonly 403: components["responses"]["ConsoleProblem"];
            readonly 404: components["responses"]["ConsoleProblem"];
            readonly 409: components["responses"]["ConsoleProblem"];
            readonly 412: components["responses"]["ConsoleProblem"];
            readonly 413: components["responses"]["ConsoleProblem"];
            readonly 415: components["responses"]["ConsoleProblem"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly showConsoleSubject: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Page. */
                readonly page: components["parameters"]["consolePage"];
                /** @description Subject of the page. */
                readonly id: components["parameters"]["consoleId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ConsoleFile"];
            readonly 303: components["responses"]["ConsoleRedirect"];
            readonly 400: components["responses"]["ConsoleProblem"];
            readonly 401: components["responses"]["ConsoleProblem"];
            readonly 402: components["responses"]["ConsoleProblem"];
            readonly 403: components["responses"]["ConsoleProblem"];
            readonly 404: components["responses"]["ConsoleProblem"];
            readonly 409: components["responses"]["ConsoleProblem"];
            readonly 412: components["responses"]["ConsoleProblem"];
            readonly 413: components["responses"]["ConsoleProblem"];
            readonly 415: components["responses"]["ConsoleProblem"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly sendConsoleSubject: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Page. */
                readonly page: components["parameters"]["consolePage"];
                /** @description Subject of the page. */
                readonly id: components["parameters"]["consoleId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: components["requestBodies"]["ConsoleForm"];
        readonly responses: {
            readonly 200: components["responses"]["ConsoleFile"];
            readonly 303: components["responses"]["ConsoleRedirect"];
            readonly 400: components["responses"]["ConsoleProblem"];
            readonly 401: components["responses"]["ConsoleProblem"];
            readonly 402: components["responses"]["ConsoleProblem"];
            readonly 403: components["responses"]["ConsoleProblem"];
            readonly 404: components["responses"]["ConsoleProblem"];
            readonly 409: components["responses"]["ConsoleProblem"];
            readonly 412: components["responses"]["ConsoleProblem"];
            readonly 413: components["responses"]["ConsoleProblem"];
            readonly 415: components["responses"]["ConsoleProblem"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly showConsolePart: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Page. */
                readonly page: components["parameters"]["consolePage"];
                /** @description Subject of the page. */
                readonly id: components["parameters"]["consoleId"];
                /** @description Part of the subject. */
                readonly part: components["parameters"]["consolePart"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ConsoleFile"];
            readonly 303: components["responses"]["ConsoleRedirect"];
            readonly 400: components["responses"]["ConsoleProblem"];
            readonly 401: components["responses"]["ConsoleProblem"];
            readonly 402: components["responses"]["ConsoleProblem"];
            readonly 403: components["responses"]["ConsoleProblem"];
            readonly 404: components["responses"]["ConsoleProblem"];
            readonly 409: components["responses"]["ConsoleProblem"];
            readonly 412: components["responses"]["ConsoleProblem"];
            readonly 413: components["responses"]["ConsoleProblem"];
            readonly 415: components["responses"]["ConsoleProblem"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
    readonly sendConsolePart: {
        readonly parameters: {
            readonly query?: {
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Page. */
                readonly page: components["parameters"]["consolePage"];
                /** @description Subject of the page. */
                readonly id: components["parameters"]["consoleId"];
                /** @description Part of the subject. */
                readonly part: components["parameters"]["consolePart"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: components["requestBodies"]["ConsoleForm"];
        readonly responses: {
            readonly 200: components["responses"]["ConsoleFile"];
            readonly 303: components["responses"]["ConsoleRedirect"];
            readonly 400: components["responses"]["ConsoleProblem"];
            readonly 401: components["responses"]["ConsoleProblem"];
            readonly 402: components["responses"]["ConsoleProblem"];
            readonly 403: components["responses"]["ConsoleProblem"];
            readonly 404: components["responses"]["ConsoleProblem"];
            readonly 409: components["responses"]["ConsoleProblem"];
            readonly 412: components["responses"]["ConsoleProblem"];
            readonly 413: components["responses"]["ConsoleProblem"];
            readonly 415: components["responses"]["ConsoleProblem"];
            readonly 429: components["responses"]["PublicRateLimited"];
            readonly 500: components["responses"]["PublicServerError"];
        };
    };
}
