import common from '../../schemas/common.json' with { type: 'json' }

/** The JSON Schema of the keys that any category may carry; every category's own stands on it. */
export const COMMON_SCHEMA: Readonly<Record<string, unknown>> = common
