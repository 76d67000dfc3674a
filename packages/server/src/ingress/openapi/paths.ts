import {
  type ApiErrorCode,
  bodyLimits,
  type JsonObject,
  type JsonValue,
  routes,
  streamingPaths,
} from '@model-gateway/contract';
import { callFields } from '../dialects/gateway/body/schemas.ts';
import { referenceTo, type SchemaName } from './components.ts';
import { allCodes, errorResponses } from './errors.ts';

/** Codes that every route under `/v1` may answer. */
const ofCallers: readonly ApiErrorCode[] = ['UNAUTHORIZED', 'NO_SERVICE', 'DISABLED', 'INTERNAL'];
const ofCredits: readonly ApiErrorCode[] = [...ofCallers, 'INVALID', 'CREDITS_NOT_ENABLED'];
const ofStreams: readonly ApiErrorCode[] = [...ofCallers, 'NOT_IMPLEMENTED'];
const ofCalls = allCodes.filter(
  (code) => code !== 'CREDITS_NOT_ENABLED' && code !== 'NOT_IMPLEMENTED',
);

/** What an admitted call gets, be it an answer or an error. */
const ofAdmitted = {
  'x-call-id': { $ref: '#/components/headers/CallId' },
  'idempotent-replayed': { $ref: '#/components/headers/IdempotentReplayed' },
} as const;
/** An answer has its cost in its body. */
const costUsd = { 'x-cost-usd': { $ref: '#/components/headers/CostUsd' } } as const;

/** Routes that answer with the same errors point to the same responses. */
const errorGroups = {
  Call: errorResponses(ofCalls, { ...ofAdmitted, ...costUsd }),
  Read: errorResponses(ofCallers),
  Credits: errorResponses(ofCredits),
  Stream: errorResponses(ofStreams),
} as const;

type ErrorGroup = keyof typeof errorGroups;

/** The error responses by their names: group and status. */
export function responseComponents(): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(
    Object.entries(errorGroups).flatMap(([group, responses]) =>
      Object.entries(responses).map(([status, response]) => [`${group}${status}`, response]),
    ),
  );
}

/** Every route of the contract. */
export function pathItems(): Readonly<Record<string, JsonValue>> {
  return {
    [routes.root.path]: { get: open('root', 'Which service this is', { 200: 'RootAnswer' }) },
    [routes.health.path]: {
      get: open('health', 'Whether the process serves', {
        200: 'HealthAnswer',
        503: 'HealthAnswer',
      }),
    },
    [routes.chat.path]: { post: call('chat', 'One answer of a model as text', 'Chat') },
    [routes.objects.path]: {
      post: call('objects', 'One answer of a model as an object that fits a schema', 'Object'),
    },
    [routes.agents.path]: {
      post: call('agents', 'One turn of an agent: text, or tools that it asks for', 'Agent'),
    },
    [routes.usage.path]: {
      get: read('usage', "The app's budget and usage of the UTC day", 'UsageAnswer', 'Read'),
    },
    [routes.models.path]: {
      get: read('models', 'The models that the app may use', 'ModelsAnswer', 'Read'),
    },
    [routes.credits.path.replace(':userId', '{userId}')]: {
      parameters: [userIdParameter()],
      get: read('credits', "A user's wallet of the UTC month", 'CreditsAnswer', 'Credits'),
    },
    ...Object.fromEntries(streamingPaths.map((path) => [path, streaming(path)])),
  };
}

/** A route that needs no key. */
function open(
  operationId: string,
  summary: string,
  answers: Readonly<Record<number, SchemaName>>,
): JsonObject {
  const responses = Object.entries(answers).map(([status, name]) => {
    const description = status === '200' ? 'The answer' : 'The process is stopping';
    return [status, { ...answer(referenceTo(name), {}), description }];
  });
  return { operationId, summary, security: [], responses: Object.fromEntries(responses) };
}

function call(operationId: string, summary: string, name: 'Chat' | 'Object' | 'Agent'): JsonObject {
  return {
    operationId,
    summary,
    parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
    requestBody: { required: true, content: jsonOf(referenceTo(`${name}Request`)) },
    responses: {
      200: answer(referenceTo(`${name}Answer`), ofAdmitted),
      ...errorsOf('Call'),
    },
  };
}

function read(
  operationId: string,
  summary: string,
  name: SchemaName,
  group: ErrorGroup,
): JsonObject {
  const responses = { 200: answer(referenceTo(name), {}), ...errorsOf(group) };
  return { operationId, summary, responses };
}

/** Every method that a description can name. */
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** A route that exists and is not available, whatever the method. */
function streaming(path: string): JsonObject {
  const name = path.split('/')[2] ?? '';
  const summary = 'Not available: every method is answered 501';
  const responses = errorsOf('Stream');
  return Object.fromEntries(
    methods.map((method) => {
      const operationId = method === 'post' ? `${name}Stream` : `${name}Stream-${method}`;
      return [method, { operationId, summary, responses }];
    }),
  );
}

function answer(schema: JsonObject, more: JsonObject): JsonObject {
  const headers = { 'x-request-id': { $ref: '#/components/headers/RequestId' }, ...more };
  return { description: 'The answer', headers, content: jsonOf(schema) };
}

function errorsOf(group: ErrorGroup): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.keys(errorGroups[group]).map((status) => [
      status,
      { $ref: `#/components/responses/${group}${status}` },
    ]),
  );
}

function jsonOf(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function userIdParameter(): JsonObject {
  const schema: JsonObject = JSON.parse(JSON.stringify(callFields.userId));
  return { name: 'userId', in: 'path', required: true, schema };
}

/** Parameters that several routes take. */
export const parameterComponents = {
  IdempotencyKey: {
    name: 'idempotency-key',
    in: 'header',
    required: false,
    description:
      'Names one logical call: a repetition gets its answer and is charged nothing. Use a new one for each request',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: bodyLimits.idempotencyKeyCharactersMax,
      pattern: '^[\\x20-\\x7e]*$',
    },
  },
} as const;
