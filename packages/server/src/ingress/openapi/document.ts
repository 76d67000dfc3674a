import { errorReasons, headerNames, type JsonObject } from '@model-gateway/contract';
import type { ApiFeatures } from '../exchange/offered.ts';
import { schemaComponents } from './components.ts';
import { errorBody } from './errors.ts';
import { parameterComponents, pathItems, responseComponents } from './paths.ts';

const description = `Money and credits are exact decimal strings.

An error of the API has the body \`{"error"}\`. Branch on its \`code\`. Errors of authentication, rate
limits and size limits have only \`{"message"}\`. Every other path under \`/v1\`, and every other
method, returns 404 \`NOT_FOUND\`.
Unknown fields of a request are rejected. Responses can get new fields.`;

/** OpenAPI 3.1, from the request validators and the one error table. */
export function openApiDocument(version: string, more: Partial<ApiFeatures> = {}): JsonObject {
  const none = { isStreaming: false, hasEmbeddings: false, hasAliases: false, readsBearer: false };
  const offered = { ...none, ...more };
  const document = describe(version, offered);
  const whole = offered.hasAliases ? withAliases(document) : document;
  return offered.readsBearer ? withBearer(whole) : whole;
}

function describe(version: string, offered: ApiFeatures) {
  const { isStreaming } = offered;
  return {
    openapi: '3.1.0',
    info: { title: 'Model Gateway', version, description, license: { name: 'MIT' } },
    servers: [server],
    security: [{ ApiKey: [] }],
    paths: pathItems(offered),
    components: {
      securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: headerNames.apiKey } },
      parameters: parameterComponents(isStreaming),
      headers: headerComponents,
      responses: responseComponents(isStreaming),
      schemas: schemaComponents(offered),
    },
  };
}

/** Another listener serves this document, and both may be behind a proxy. */
const server = {
  url: '{origin}',
  description: 'Public listener (`listen` of the configuration) or the proxy in front of it',
  variables: {
    origin: { default: 'http://127.0.0.1:8787', description: 'Address that callers use' },
  },
} as const;

const headerComponents = {
  RequestId: {
    required: true,
    description: 'Request id of the gateway; send it to the operator with a question',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds to wait, if known',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  ShouldRetry: {
    description: 'Present on every response that should not be retried',
    schema: { type: 'string', const: 'false' },
  },
  CallId: {
    description: 'Call id, as in the body. A replay has the id of the original call',
    schema: { type: 'string' },
  },
  DroppedFields: {
    description:
      'Fields that were not sent to the model, such as `messages[1].carry` of another model family',
    schema: { type: 'string' },
  },
  CostUsd: {
    description:
      'Total booked cost of a failed call, all attempts; absent if nothing was booked. A replay has the value of the original call',
    schema: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  },
  BudgetScope: {
    description:
      'On BUDGET_EXCEEDED: the budget that cannot cover the call (the one with the least remaining, if several). `app-day` is the budget of `GET /v1/usage`',
    schema: {
      type: 'string',
      pattern: '^(app-(day|month)|group-(day|month):.+|key-(day|month)|user-day|run:.+)$',
    },
  },
  ErrorReason: {
    description:
      'Why the platform rejected the request; absent if it reported none of these reasons',
    schema: { type: 'string', enum: [...errorReasons] },
  },
  IdempotentReplayed: {
    description: 'The response was produced for another request with the same key',
    schema: { type: 'string', const: 'true' },
  },
} as const;

const reference = { $ref: '#/components/headers/ServedBy' } as const;

const header = {
  description:
    'Last model called for an alias; absent if the request names a model. A replay has the value of the original call',
  schema: { type: 'string' },
} as const;

/** With aliases, responses with a call's id also name its model. */
function withAliases(document: {
  readonly components: { readonly headers: JsonObject };
}): JsonObject {
  const { components } = document;
  const headers = { ...components.headers, ServedBy: header };
  const all = { ...document, components: { ...components, headers } };
  return JSON.parse(JSON.stringify(all, addHeader));
}

function addHeader(_key: string, value: unknown): unknown {
  const isOfCall = typeof value === 'object' && value !== null && headerNames.callId in value;
  return isOfCall ? { ...value, [headerNames.servedBy]: reference } : value;
}

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

function withBearer(document: JsonObject): JsonObject {
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
