import { errorReasons, headerNames, type JsonObject } from '@model-gateway/contract';
import type { Offered } from '../exchange/offered.ts';
import { schemaComponents } from './components.ts';
import { errorBody } from './errors.ts';
import { parameterComponents, pathItems, responseComponents } from './paths.ts';

const description = `What the service answers. Money and credits are exact decimal strings.

An error of the API has the body \`{"error"}\`: branch on its \`code\`. Answers of the edge
(authentication, rate and size limits) have \`{"message"}\` alone. Every other path under \`/v1\`, and
every other method, is 404 \`NOT_FOUND\`.
Unknown fields of a request are refused; answers may get further fields.`;

/** OpenAPI 3.1, from the request validators and the one error table. */
export function openApiDocument(version: string, more: Partial<Offered> = {}): JsonObject {
  const none = { isStreaming: false, hasEmbeddings: false, hasAliases: false, readsBearer: false };
  const offered = { ...none, ...more };
  const document = describe(version, offered);
  const whole = offered.hasAliases ? withAliases(document) : document;
  return offered.readsBearer ? withBearer(whole) : whole;
}

function describe(version: string, offered: Offered) {
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

/** Another listener serves this document, and both may have a proxy. */
const server = {
  url: '{origin}',
  description: 'The public listener, `listen` of the configuration, or the proxy in front of it',
  variables: {
    origin: { default: 'http://127.0.0.1:8787', description: 'Where callers reach it' },
  },
} as const;

const headerComponents = {
  RequestId: {
    required: true,
    description: "This gateway's own id of the request: give it to the operator",
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds to wait, where they are known',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  ShouldRetry: {
    description: 'Stands on every answer that is not worth another try',
    schema: { type: 'string', const: 'false' },
  },
  CallId: {
    description:
      'The id of the call that the answer is of, as in its body. A repetition has that of the call that was made',
    schema: { type: 'string' },
  },
  DroppedFields: {
    description:
      'Fields that were not sent to the model, such as `messages[1].carry` of another family of models',
    schema: { type: 'string' },
  },
  CostUsd: {
    description:
      'What is booked for a call that failed, all its attempts together; missing where nothing is. A repetition has that of the call that was made',
    schema: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  },
  BudgetScope: {
    description:
      'On BUDGET_EXCEEDED: which budget has no room, the one with the least if several. `app-day` is the budget of `GET /v1/usage`',
    schema: {
      type: 'string',
      pattern: '^(app-(day|month)|group-(day|month):.+|key-(day|month)|user-day|run:.+)$',
    },
  },
  ErrorReason: {
    description:
      'Why the model platform rejected the request; missing where it states no reason of this list',
    schema: { type: 'string', enum: [...errorReasons] },
  },
  IdempotentReplayed: {
    description: 'The answer was made for another request with the same key',
    schema: { type: 'string', const: 'true' },
  },
} as const;

const reference = { $ref: '#/components/headers/ServedBy' } as const;

const header = {
  description:
    'Which model of an alias was asked last; missing where the request names a model. A repetition has that of the call that was made',
  schema: { type: 'string' },
} as const;

/** With aliases, answers with a call's id also name its model. */
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
