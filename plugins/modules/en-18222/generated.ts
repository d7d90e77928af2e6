// Made of openapi.yaml by `dpp plugin types`.

export interface paths {
    readonly "/v1/dpps": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Create a passport
         * @description EN 18222, 4.6. The body is a passport in either form. The gateway assigns `digitalProductPassportId`, times and the schema version; it finds product, operator and facility by `uniqueProductIdentifier`, `economicOperatorId` and `facilityId`. Other members become the metadata, validated by the rules of the category. `dppStatus` `draft` saves a draft, other values publish.
         */
        readonly post: operations["createDpp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/dpps/{dppId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier of a passport, a batch or an item, such as `https://dpp.example/passport/…`, percent-encoded once; the UUID of a passport is accepted too. */
                readonly dppId: components["parameters"]["dppId"];
            };
            readonly cookie?: never;
        };
        /**
         * Read a passport
         * @description EN 18222, 4.2. Public tier without credentials; more with a capability token or an API key of the workspace.
         */
        readonly get: operations["readDppById"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a draft
         * @description EN 18222, 4.8. A passport that was published stays (409), as the law requires. Earlier versions stay in the archive.
         */
        readonly delete: operations["deleteDppById"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Update a passport
         * @description EN 18222, 4.7. JSON Merge Patch (RFC 7396) of the passport as its owner reads it, in either form; null removes. Members that the gateway derives may be repeated, but not changed (403). `dppStatus` `active` publishes a draft. A sealed passport is 409: use `POST /api/v1/passports/{id}/revisions`.
         */
        readonly patch: operations["updateDppById"];
        readonly trace?: never;
    };
    readonly "/v1/dppsByProductId/{productId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier of a product, a batch or an item (EN 18219), percent-encoded once: Digital Link, GTIN, GRAI, SKU, DID or identification link. */
                readonly productId: components["parameters"]["enProductId"];
            };
            readonly cookie?: never;
        };
        /**
         * Read the passport of a product
         * @description EN 18222, 4.3. Passport of a product, a batch or an item. If several economic operators have one, 409.
         */
        readonly get: operations["readDppByProductId"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/dppsByIdAndDate/{dppId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier of a passport, a batch or an item, such as `https://dpp.example/passport/…`, percent-encoded once; the UUID of a passport is accepted too. */
                readonly dppId: components["parameters"]["dppId"];
            };
            readonly cookie?: never;
        };
        /**
         * Read a passport as of a time
         * @description EN 18222, 4.4. Public: sealed versions. With a capability token or an API key also unsealed ones.
         */
        readonly get: operations["readDppVersionByIdAndDate"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/dppsByProductIdAndDate/{productId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier of a product, a batch or an item (EN 18219), percent-encoded once: Digital Link, GTIN, GRAI, SKU, DID or identification link. */
                readonly productId: components["parameters"]["enProductId"];
            };
            readonly cookie?: never;
        };
        /**
         * Read the passport of a product as of a time
         * @description As `/dppsByIdAndDate`, by product; earlier clients use it.
         */
        readonly get: operations["readDppVersionByProductIdAndDate"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/dppsByProductIds": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Find passports of products
         * @description EN 18222, 4.5. Accepts a list of at most 100 product identifiers, or an object with it as `productIds`, `productId` or `productIdentifiers`. Unknown identifiers have no passport in the result.
         */
        readonly post: operations["readDppIdsByProductIds"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/dpps/{dppId}/elements/{elementIdPath}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier of a passport, a batch or an item, such as `https://dpp.example/passport/…`, percent-encoded once; the UUID of a passport is accepted too. */
                readonly dppId: components["parameters"]["dppId"];
                /** @description Singular JSONPath (RFC 9535), percent-encoded once, such as `$.materials[0]`. */
                readonly elementIdPath: components["parameters"]["elementIdPath"];
            };
            readonly cookie?: never;
        };
        /**
         * Read an element of a passport
         * @description EN 18222, 6.2. The path is evaluated in the passport as the caller may read it: a masked element is absent (404).
         */
        readonly get: operations["readDataElement"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Update an element of a passport
         * @description EN 18222, 6.3. Replaces the element, or adds it to its parent; null removes it. Header and derived members are 403.
         */
        readonly patch: operations["updateDataElement"];
        readonly trace?: never;
    };
    readonly "/v1/dpps/{dppId}/collections/{elementId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier of a passport, a batch or an item, such as `https://dpp.example/passport/…`, percent-encoded once; the UUID of a passport is accepted too. */
                readonly dppId: components["parameters"]["dppId"];
                /** @description Id of an element at the top. */
                readonly elementId: string;
            };
            readonly cookie?: never;
        };
        /**
         * Read an element at the top of a passport
         * @description As `/elements`, without a path; clients of the draft of 2025 use it.
         */
        readonly get: operations["readDataElementCollection"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/registerDPP": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Register a passport
         * @description EN 18222, 5.2, is served by a registry, not by a passport service: 501. `POST /api/v1/passports/{id}/registration` registers a passport.
         */
        readonly post: operations["registerProductDpp"];
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
        /** @description Passport in the compressed or the full form, or a part of it. */
        readonly DppDocument: {
            /** @description Identifier of the product. */
            readonly uniqueProductIdentifier?: string;
            /** @description `draft` saves a draft, `active` publishes it. */
            readonly dppStatus?: string;
            /** @description Identifier of an operator of the workspace. */
            readonly economicOperatorId?: string;
            /** @description Identifier of a facility of the workspace. */
            readonly facilityId?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description Identifier of the new passport. */
        readonly DppCreated: {
            /**
             * Format: uri
             * @description Assigned by the gateway.
             */
            readonly digitalProductPassportId: string;
        };
        /** @description Result of a failure (EN 18222, 7.2). */
        readonly EnResult: {
            /** @description Status code of Table 15. */
            readonly statusCode: string;
            /** @description The error, then its findings. */
            readonly message: readonly components["schemas"]["EnMessage"][];
        };
        /** @description Message of a result. */
        readonly EnMessage: {
            /**
             * @description Exception: error of the gateway.
             * @enum {unknown}
             */
            readonly messageType: "Error" | "Exception";
            /** @description Error. */
            readonly text: string;
            /** @description Error code */
            readonly code?: string;
            /** @description Request id. */
            readonly correlationId: string;
            /**
             * Format: date-time
             * @description Time of the response.
             */
            readonly timestamp: string;
        };
        /** @description Passport of EN 18223. The compressed form has each data element under its id, the full form a list of `elements`. */
        readonly DigitalProductPassport18223: {
            /**
             * Format: uri
             * @description Identifier of the passport.
             */
            readonly digitalProductPassportId: string;
            /** @description Identifier of the product (EN 18219). */
            readonly uniqueProductIdentifier: string;
            /**
             * @description Level of the product.
             * @enum {unknown}
             */
            readonly granularity: "model" | "batch" | "item";
            /**
             * @description Version of the data model.
             * @constant
             */
            readonly dppSchemaVersion: "EN 18223:2026";
            /**
             * @description `invalid`: recalled. `inactive`: decommissioned.
             * @enum {unknown}
             */
            readonly dppStatus: "draft" | "active" | "invalid" | "inactive" | "archived";
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            readonly lastUpdated: string;
            /** @description Identifier of the economic operator. */
            readonly economicOperatorId: string;
            /**
             * Format: uri
             * @description Identifier of the manufacturing facility.
             */
            readonly facilityId?: string;
            /** @description Specifications of the content. */
            readonly contentSpecificationIds?: readonly string[];
            /** @description Full form only. */
            readonly elements?: readonly components["schemas"]["DataElement18223"][];
        } & {
            readonly [key: string]: unknown;
        };
        /** @description Data element of the full form (EN 18223, Annex A). */
        readonly DataElement18223: {
            /** @description Unique at its level. */
            readonly elementId: string;
            /**
             * @description Kind of element.
             * @enum {unknown}
             */
            readonly objectType: "SingleValuedDataElement" | "MultiValuedDataElement" | "MultiLanguageDataElement" | "DataElementCollection" | "RelatedResource";
            /** @description Concept or term of the dictionary. */
            readonly dictionaryReference?: string;
            /** @description Data type of XML Schema. */
            readonly valueDataType?: string;
            /** @description Value or values. */
            readonly value?: string | number | boolean | readonly unknown[];
            /** @description Elements of a collection. */
            readonly elements?: readonly components["schemas"]["DataElement18223"][];
        } & {
            readonly [key: string]: unknown;
        };
        /** @description List of product identifiers, or an object with it. */
        readonly DppProductIds: ({
            /** @description At most 100 identifiers. */
            readonly productIds?: readonly string[];
            /** @description Page size; the query takes precedence. */
            readonly limit?: number;
            /** @description `nextCursor` of the page before; the query takes precedence. */
            readonly cursor?: string;
        } & {
            readonly [key: string]: unknown;
        }) | readonly string[];
        /** @description One page of passport identifiers. */
        readonly DppIdList: {
            /** @description Sorted. */
            readonly dppIds: readonly string[];
            /** @description Absent on the last page. */
            readonly nextCursor?: string;
        };
        /** @description Compressed form: the value. Full form: the data element, or a value of it. */
        readonly DppElement: string | number | boolean | readonly unknown[] | {
            readonly [key: string]: unknown;
        };
        /** @description Any JSON value, or a data element of the full form. */
        readonly DppElementValue: string | number | boolean | readonly unknown[] | {
            readonly [key: string]: unknown;
        } | null;
    };
    responses: {
        /** @description Malformed request, or invalid content. */
        readonly EnBadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["EnResult"];
            };
        };
        /** @description Missing or invalid credential. */
        readonly EnUnauthorized: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["EnResult"];
            };
        };
        /** @description The subscription has lapsed, or the plan is exhausted. */
        readonly EnPaymentRequired: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["EnResult"];
            };
        };
        /** @description Missing permission, or a derived member. */
        readonly EnForbidden: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["EnResult"];
            };
        };
        /** @description Several passports, a duplicate, or a passport that cannot be changed. */
        readonly EnConflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["EnResult"];
            };
        };
        /** @description The body is too large. */
        readonly EnTooLarge: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["EnResult"];
            };
        };
        /** @description The body is not JSON. */
        readonly EnUnsupportedMediaType: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["EnResult"];
            };
        };
        /** @description Too many requests. */
        readonly EnRateLimited: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["EnResult"];
            };
        };
        /** @description Internal error. Details are only in the log, under the request id. */
        readonly EnServerError: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["EnResult"];
            };
        };
        /** @description The database is temporarily unavailable. */
        readonly EnUnavailable: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["EnResult"];
            };
        };
        /** @description No passport, version or element that the caller may read. */
        readonly EnNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["EnResult"];
            };
        };
        /** @description Not offered by this gateway. */
        readonly EnNotImplemented: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["EnResult"];
            };
        };
    };
    parameters: {
        /** @description Form of EN 18223; default `compressed`. */
        readonly representation: "compressed" | "full";
        /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
        readonly lang: string | readonly string[];
        /** @description Required only with cookie sessions. */
        readonly csrf: string;
        /** @description Executes the request once: for 24 hours the same key returns the same response, with `idempotent-replayed: true`. Scoped to the caller: keys with other permissions or operators, keys without read access to passports and units, and other users do not share it. At most 255 characters, no control characters. */
        readonly idempotencyKey: string;
        /** @description Identifier of a passport, a batch or an item, such as `https://dpp.example/passport/…`, percent-encoded once; the UUID of a passport is accepted too. */
        readonly dppId: string;
        /** @description Capability token, `dpp_li_…` or `dpp_auth_…`; also accepted as bearer token. An invalid token gives the public tier, not an error. */
        readonly grant: string;
        /** @description Identifier of a product, a batch or an item (EN 18219), percent-encoded once: Digital Link, GTIN, GRAI, SKU, DID or identification link. */
        readonly enProductId: string;
        /** @description Time (ISO 8601), such as `2026-11-26T07:00:00Z`; default time zone UTC. */
        readonly enDate: string;
        /** @description Singular JSONPath (RFC 9535), percent-encoded once, such as `$.materials[0]`. */
        readonly elementIdPath: string;
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
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly createDpp: {
        readonly parameters: {
            readonly query?: {
                /** @description Form of EN 18223; default `compressed`. */
                readonly representation?: components["parameters"]["representation"];
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
                /** @description Executes the request once: for 24 hours the same key returns the same response, with `idempotent-replayed: true`. Scoped to the caller: keys with other permissions or operators, keys without read access to passports and units, and other users do not share it. At most 255 characters, no control characters. */
                readonly "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DppDocument"];
            };
        };
        readonly responses: {
            /** @description Passport created. */
            readonly 201: {
                headers: {
                    /** @description Address of the passport. */
                    readonly Location?: string;
                    readonly "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DppCreated"];
                };
            };
            readonly 400: components["responses"]["EnBadRequest"];
            readonly 401: components["responses"]["EnUnauthorized"];
            readonly 402: components["responses"]["EnPaymentRequired"];
            readonly 403: components["responses"]["EnForbidden"];
            readonly 409: components["responses"]["EnConflict"];
            readonly 413: components["responses"]["EnTooLarge"];
            readonly 415: components["responses"]["EnUnsupportedMediaType"];
            readonly 429: components["responses"]["EnRateLimited"];
            readonly 500: components["responses"]["EnServerError"];
            readonly 503: components["responses"]["EnUnavailable"];
        };
    };
    readonly readDppById: {
        readonly parameters: {
            readonly query?: {
                /** @description Form of EN 18223; default `compressed`. */
                readonly representation?: components["parameters"]["representation"];
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
                /** @description Capability token, `dpp_li_…` or `dpp_auth_…`; also accepted as bearer token. An invalid token gives the public tier, not an error. */
                readonly grant?: components["parameters"]["grant"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifier of a passport, a batch or an item, such as `https://dpp.example/passport/…`, percent-encoded once; the UUID of a passport is accepted too. */
                readonly dppId: components["parameters"]["dppId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Passport in the tier of the caller. */
            readonly 200: {
                headers: {
                    readonly "X-Access-Tier": components["headers"]["X-Access-Tier"];
                    readonly "X-Access-Note": components["headers"]["X-Access-Note"];
                    readonly "X-Access-Audience": components["headers"]["X-Access-Audience"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DigitalProductPassport18223"];
                };
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
            readonly 400: components["responses"]["EnBadRequest"];
            readonly 403: components["responses"]["EnForbidden"];
            readonly 404: components["responses"]["EnNotFound"];
            readonly 429: components["responses"]["EnRateLimited"];
            readonly 500: components["responses"]["EnServerError"];
            readonly 503: components["responses"]["EnUnavailable"];
        };
    };
    readonly deleteDppById: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description Identifier of a passport, a batch or an item, such as `https://dpp.example/passport/…`, percent-encoded once; the UUID of a passport is accepted too. */
                readonly dppId: components["parameters"]["dppId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["EnBadRequest"];
            readonly 401: components["responses"]["EnUnauthorized"];
            readonly 402: components["responses"]["EnPaymentRequired"];
            readonly 403: components["responses"]["EnForbidden"];
            readonly 404: components["responses"]["EnNotFound"];
            readonly 409: components["responses"]["EnConflict"];
            readonly 429: components["responses"]["EnRateLimited"];
            readonly 500: components["responses"]["EnServerError"];
            readonly 501: components["responses"]["EnNotImplemented"];
            readonly 503: components["responses"]["EnUnavailable"];
        };
    };
    readonly updateDppById: {
        readonly parameters: {
            readonly query?: {
                /** @description Form of EN 18223; default `compressed`. */
                readonly representation?: components["parameters"]["representation"];
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description Identifier of a passport, a batch or an item, such as `https://dpp.example/passport/…`, percent-encoded once; the UUID of a passport is accepted too. */
                readonly dppId: components["parameters"]["dppId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DppDocument"];
                readonly "application/merge-patch+json": components["schemas"]["DppDocument"];
            };
        };
        readonly responses: {
            /** @description Updated passport. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DigitalProductPassport18223"];
                };
            };
            readonly 400: components["responses"]["EnBadRequest"];
            readonly 401: components["responses"]["EnUnauthorized"];
            readonly 402: components["responses"]["EnPaymentRequired"];
            readonly 403: components["responses"]["EnForbidden"];
            readonly 404: components["responses"]["EnNotFound"];
            readonly 409: components["responses"]["EnConflict"];
            readonly 413: components["responses"]["EnTooLarge"];
            readonly 415: components["responses"]["EnUnsupportedMediaType"];
            readonly 429: components["responses"]["EnRateLimited"];
            readonly 500: components["responses"]["EnServerError"];
            readonly 501: components["responses"]["EnNotImplemented"];
            readonly 503: components["responses"]["EnUnavailable"];
        };
    };
    readonly readDppByProductId: {
        readonly parameters: {
            readonly query?: {
                /** @description Form of EN 18223; default `compressed`. */
                readonly representation?: components["parameters"]["representation"];
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
                /** @description Capability token, `dpp_li_…` or `dpp_auth_…`; also accepted as bearer token. An invalid token gives the public tier, not an error. */
                readonly grant?: components["parameters"]["grant"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifier of a product, a batch or an item (EN 18219), percent-encoded once: Digital Link, GTIN, GRAI, SKU, DID or identification link. */
                readonly productId: components["parameters"]["enProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Passport in the tier of the caller. */
            readonly 200: {
                headers: {
                    readonly "X-Access-Tier": components["headers"]["X-Access-Tier"];
                    readonly "X-Access-Note": components["headers"]["X-Access-Note"];
                    readonly "X-Access-Audience": components["headers"]["X-Access-Audience"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DigitalProductPassport18223"];
                };
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
            readonly 400: components["responses"]["EnBadRequest"];
            readonly 403: components["responses"]["EnForbidden"];
            readonly 404: components["responses"]["EnNotFound"];
            readonly 409: components["responses"]["EnConflict"];
            readonly 429: components["responses"]["EnRateLimited"];
            readonly 500: components["responses"]["EnServerError"];
            readonly 503: components["responses"]["EnUnavailable"];
        };
    };
    readonly readDppVersionByIdAndDate: {
        readonly parameters: {
            readonly query: {
                /** @description Time (ISO 8601), such as `2026-11-26T07:00:00Z`; default time zone UTC. */
                readonly date: components["parameters"]["enDate"];
                /** @description Form of EN 18223; default `compressed`. */
                readonly representation?: components["parameters"]["representation"];
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
                /** @description Capability token, `dpp_li_…` or `dpp_auth_…`; also accepted as bearer token. An invalid token gives the public tier, not an error. */
                readonly grant?: components["parameters"]["grant"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifier of a passport, a batch or an item, such as `https://dpp.example/passport/…`, percent-encoded once; the UUID of a passport is accepted too. */
                readonly dppId: components["parameters"]["dppId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Passport in the tier of the caller. */
            readonly 200: {
                headers: {
                    readonly "X-Access-Tier": components["headers"]["X-Access-Tier"];
                    readonly "X-Access-Note": components["headers"]["X-Access-Note"];
                    readonly "X-Access-Audience": components["headers"]["X-Access-Audience"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DigitalProductPassport18223"];
                };
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
            readonly 400: components["responses"]["EnBadRequest"];
            readonly 403: components["responses"]["EnForbidden"];
            readonly 404: components["responses"]["EnNotFound"];
            readonly 429: components["responses"]["EnRateLimited"];
            readonly 500: components["responses"]["EnServerError"];
            readonly 503: components["responses"]["EnUnavailable"];
        };
    };
    readonly readDppVersionByProductIdAndDate: {
        readonly parameters: {
            readonly query: {
                /** @description Time (ISO 8601), such as `2026-11-26T07:00:00Z`; default time zone UTC. */
                readonly date: components["parameters"]["enDate"];
                /** @description Form of EN 18223; default `compressed`. */
                readonly representation?: components["parameters"]["representation"];
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
                /** @description Capability token, `dpp_li_…` or `dpp_auth_…`; also accepted as bearer token. An invalid token gives the public tier, not an error. */
                readonly grant?: components["parameters"]["grant"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifier of a product, a batch or an item (EN 18219), percent-encoded once: Digital Link, GTIN, GRAI, SKU, DID or identification link. */
                readonly productId: components["parameters"]["enProductId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Passport in the tier of the caller. */
            readonly 200: {
                headers: {
                    readonly "X-Access-Tier": components["headers"]["X-Access-Tier"];
                    readonly "X-Access-Note": components["headers"]["X-Access-Note"];
                    readonly "X-Access-Audience": components["headers"]["X-Access-Audience"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DigitalProductPassport18223"];
                };
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
            readonly 400: components["responses"]["EnBadRequest"];
            readonly 403: components["responses"]["EnForbidden"];
            readonly 404: components["responses"]["EnNotFound"];
            readonly 409: components["responses"]["EnConflict"];
            readonly 429: components["responses"]["EnRateLimited"];
            readonly 500: components["responses"]["EnServerError"];
            readonly 503: components["responses"]["EnUnavailable"];
        };
    };
    readonly readDppIdsByProductIds: {
        readonly parameters: {
            readonly query?: {
                /** @description Page size from 1; default 100; more than 500 count as 500. */
                readonly limit?: string;
                /** @description `nextCursor` of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DppProductIds"];
            };
        };
        readonly responses: {
            /** @description Identifiers of passports, sorted. */
            readonly 200: {
                headers: {
                    /** @description Next page (RFC 8288). */
                    readonly Link?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DppIdList"];
                };
            };
            readonly 400: components["responses"]["EnBadRequest"];
            readonly 403: components["responses"]["EnForbidden"];
            readonly 413: components["responses"]["EnTooLarge"];
            readonly 415: components["responses"]["EnUnsupportedMediaType"];
            readonly 429: components["responses"]["EnRateLimited"];
            readonly 500: components["responses"]["EnServerError"];
            readonly 503: components["responses"]["EnUnavailable"];
        };
    };
    readonly readDataElement: {
        readonly parameters: {
            readonly query?: {
                /** @description Form of EN 18223; default `compressed`. */
                readonly representation?: components["parameters"]["representation"];
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
                /** @description Capability token, `dpp_li_…` or `dpp_auth_…`; also accepted as bearer token. An invalid token gives the public tier, not an error. */
                readonly grant?: components["parameters"]["grant"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifier of a passport, a batch or an item, such as `https://dpp.example/passport/…`, percent-encoded once; the UUID of a passport is accepted too. */
                readonly dppId: components["parameters"]["dppId"];
                /** @description Singular JSONPath (RFC 9535), percent-encoded once, such as `$.materials[0]`. */
                readonly elementIdPath: components["parameters"]["elementIdPath"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Element in the tier of the caller. */
            readonly 200: {
                headers: {
                    readonly "X-Access-Tier": components["headers"]["X-Access-Tier"];
                    readonly "X-Access-Note": components["headers"]["X-Access-Note"];
                    readonly "X-Access-Audience": components["headers"]["X-Access-Audience"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DppElement"];
                };
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
            readonly 400: components["responses"]["EnBadRequest"];
            readonly 403: components["responses"]["EnForbidden"];
            readonly 404: components["responses"]["EnNotFound"];
            readonly 429: components["responses"]["EnRateLimited"];
            readonly 500: components["responses"]["EnServerError"];
            readonly 503: components["responses"]["EnUnavailable"];
        };
    };
    readonly updateDataElement: {
        readonly parameters: {
            readonly query?: {
                /** @description Form of EN 18223; default `compressed`. */
                readonly representation?: components["parameters"]["representation"];
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
            };
            readonly header?: {
                /** @description Required only with cookie sessions. */
                readonly "X-CSRF-Token"?: components["parameters"]["csrf"];
            };
            readonly path: {
                /** @description Identifier of a passport, a batch or an item, such as `https://dpp.example/passport/…`, percent-encoded once; the UUID of a passport is accepted too. */
                readonly dppId: components["parameters"]["dppId"];
                /** @description Singular JSONPath (RFC 9535), percent-encoded once, such as `$.materials[0]`. */
                readonly elementIdPath: components["parameters"]["elementIdPath"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DppElementValue"];
                readonly "application/merge-patch+json": components["schemas"]["DppElementValue"];
            };
        };
        readonly responses: {
            /** @description Updated element. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DppElement"];
                };
            };
            /** @description Element removed. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["EnBadRequest"];
            readonly 401: components["responses"]["EnUnauthorized"];
            readonly 402: components["responses"]["EnPaymentRequired"];
            readonly 403: components["responses"]["EnForbidden"];
            readonly 404: components["responses"]["EnNotFound"];
            readonly 409: components["responses"]["EnConflict"];
            readonly 413: components["responses"]["EnTooLarge"];
            readonly 415: components["responses"]["EnUnsupportedMediaType"];
            readonly 429: components["responses"]["EnRateLimited"];
            readonly 500: components["responses"]["EnServerError"];
            readonly 501: components["responses"]["EnNotImplemented"];
            readonly 503: components["responses"]["EnUnavailable"];
        };
    };
    readonly readDataElementCollection: {
        readonly parameters: {
            readonly query?: {
                /** @description Form of EN 18223; default `compressed`. */
                readonly representation?: components["parameters"]["representation"];
                /** @description Language of human-readable texts. Unknown values are ignored. Fallback: `Accept-Language`, then `en`. */
                readonly lang?: components["parameters"]["lang"];
                /** @description Capability token, `dpp_li_…` or `dpp_auth_…`; also accepted as bearer token. An invalid token gives the public tier, not an error. */
                readonly grant?: components["parameters"]["grant"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifier of a passport, a batch or an item, such as `https://dpp.example/passport/…`, percent-encoded once; the UUID of a passport is accepted too. */
                readonly dppId: components["parameters"]["dppId"];
                /** @description Id of an element at the top. */
                readonly elementId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Element in the tier of the caller. */
            readonly 200: {
                headers: {
                    readonly "X-Access-Tier": components["headers"]["X-Access-Tier"];
                    readonly "X-Access-Note": components["headers"]["X-Access-Note"];
                    readonly "X-Access-Audience": components["headers"]["X-Access-Audience"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DppElement"];
                };
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
            readonly 400: components["responses"]["EnBadRequest"];
            readonly 403: components["responses"]["EnForbidden"];
            readonly 404: components["responses"]["EnNotFound"];
            readonly 429: components["responses"]["EnRateLimited"];
            readonly 500: components["responses"]["EnServerError"];
            readonly 503: components["responses"]["EnUnavailable"];
        };
    };
    readonly registerProductDpp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 400: components["responses"]["EnBadRequest"];
            readonly 429: components["responses"]["EnRateLimited"];
            readonly 501: components["responses"]["EnNotImplemented"];
        };
    };
}
