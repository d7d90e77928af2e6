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
         * This document for people, as pages
         * @description What the interface is, how to authenticate, and every operation by its tag. The pages need no script and load nothing; they are in English. They are compressed for callers that take Brotli.
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
                /** @description A tag, an operationId, `errors` or `schemas`. */
                readonly page: string;
            };
            readonly cookie?: never;
        };
        /**
         * One page of the reference
         * @description The operations of a tag; one operation with its parameters, body, answers, example and a command that calls it; the forms and codes of errors; or all schemas.
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
                /** @description Name of a schema of this document. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        /**
         * One schema of the reference
         * @description What a schema of this document says, and what uses it.
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
        /** @description The form of errors where no credential is needed, of grants, and of requests that do not meet this document where a passport is created or checked. */
        readonly BareError: {
            /** @description What the status says. */
            readonly error: string;
            /** @description For people. */
            readonly message: string;
            /** @description Of failures of the gateway: under this id its log says more. */
            readonly requestId?: string;
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
    };
    responses: {
        /** @description The page. */
        readonly ReferencePage: {
            headers: {
                /** @description Entity tag of the page. */
                readonly ETag?: string;
                /** @description `br` for callers that take it. */
                readonly "Content-Encoding"?: "br";
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/html": string;
            };
        };
        /** @description The request does not meet the contract. */
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
        /** @description Page not found in the API reference. */
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
        /** @description Entity tags of what the caller has. */
        readonly ifNoneMatch: string;
        /** @description `br` gets the page in fewer bytes. */
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
                /** @description Entity tags of what the caller has. */
                readonly "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description `br` gets the page in fewer bytes. */
                readonly "Accept-Encoding"?: components["parameters"]["acceptEncoding"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ReferencePage"];
            /** @description Not modified; the entity tag still holds. */
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
                /** @description Entity tags of what the caller has. */
                readonly "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description `br` gets the page in fewer bytes. */
                readonly "Accept-Encoding"?: components["parameters"]["acceptEncoding"];
            };
            readonly path: {
                /** @description A tag, an operationId, `errors` or `schemas`. */
                readonly page: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ReferencePage"];
            /** @description Not modified; the entity tag still holds. */
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
                /** @description Entity tags of what the caller has. */
                readonly "If-None-Match"?: components["parameters"]["ifNoneMatch"];
                /** @description `br` gets the page in fewer bytes. */
                readonly "Accept-Encoding"?: components["parameters"]["acceptEncoding"];
            };
            readonly path: {
                /** @description Name of a schema of this document. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["ReferencePage"];
            /** @description Not modified; the entity tag still holds. */
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
