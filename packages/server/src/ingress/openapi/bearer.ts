import type { JsonObject } from '@model-gateway/contract';
import { errorBody } from './errors.ts';

const schemes = {
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same key: read because `ingress` has an API that is on',
  },
} as const;

const twoKeys = {
  when: '`BAD_REQUEST`, without a model: `x-api-key` and `authorization` contain different keys.',
  body: errorBody(['BAD_REQUEST'], false),
} as const;

/** Differing keys are then another error with 400. */
export function withBearer(document: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(document, addBearer));
}

function addBearer(key: string, value: unknown): unknown {
  if (key === 'securitySchemes') return { ...Object(value), ...schemes };
  if (key === 'security') return [...[value].flat(), { Bearer: [] }];
  if (!/^[A-Z]\w*400$/.test(key)) return value;
  const response = Object(value);
  const { schema } = response.content['application/json'];
  return {
    ...response,
    description: `${response.description}\n${twoKeys.when}`,
    content: { 'application/json': { schema: { anyOf: [schema, twoKeys.body] } } },
  };
}
