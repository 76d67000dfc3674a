import {
  type ApiErrorCode,
  bodyLimits,
  headerNames,
  type JsonObject,
  type JsonValue,
} from '@model-gateway/contract';
import { schemaJson } from '../../lib/schema-json.ts';
import { callFields } from '../dialects/gateway/body/schemas.ts';
import { type RouteRow, routeRows, type SchemaName } from '../dialects/gateway/route-rows.ts';
import { type ApiFeatures, isOffered } from '../exchange/offered.ts';
import { referenceTo } from './components.ts';
import { allCodes, errorResponses } from './errors.ts';

const ofCallers: readonly ApiErrorCode[] = ['UNAUTHORIZED', 'NO_SERVICE', 'DISABLED', 'INTERNAL'];
const ofCredits: readonly ApiErrorCode[] = [...ofCallers, 'INVALID', 'CREDITS_NOT_ENABLED'];
const ofQuotes: readonly ApiErrorCode[] = [
  ...(['INVALID', 'USER_REQUIRED', 'MODEL_NOT_PRICED', 'MODEL_NOT_ALLOWED'] as const),
  ...ofCallers,
];
const ofNewRuns: readonly ApiErrorCode[] = [...ofCallers, 'INVALID'];
const ofRuns: readonly ApiErrorCode[] = [...ofNewRuns, 'NOT_FOUND'];
const ofStreams: readonly ApiErrorCode[] = [...ofCallers, 'NOT_IMPLEMENTED'];
const ofCalls = allCodes.filter(
  (code) => code !== 'CREDITS_NOT_ENABLED' && code !== 'NOT_IMPLEMENTED',
);

const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' } as const;
const ofKeyed = {
  'idempotent-replayed': { $ref: '#/components/headers/IdempotentReplayed' },
} as const;
const ofAdmitted = {
  'x-call-id': { $ref: '#/components/headers/CallId' },
  'x-dropped-fields': { $ref: '#/components/headers/DroppedFields' },
  ...ofKeyed,
} as const;
const costUsd = { 'x-cost-usd': { $ref: '#/components/headers/CostUsd' } } as const;

const errorGroups = {
  Call: errorResponses(ofCalls, { ...ofAdmitted, ...costUsd }),
  Read: errorResponses(ofCallers),
  Credits: errorResponses(ofCredits),
  Quote: errorResponses(ofQuotes),
  NewRun: errorResponses(ofNewRuns),
  Run: errorResponses(ofRuns, {}, false),
  Stream: errorResponses(ofStreams),
} as const;

const streamingGroups = {
  ...errorGroups,
  StreamedCall: errorResponses([...ofCalls, 'NOT_IMPLEMENTED'], { ...ofAdmitted, ...costUsd }),
  OtherMethod: errorResponses([...ofStreams, 'NOT_FOUND']),
} as const;

type ErrorGroup = keyof typeof streamingGroups;

export function responseComponents(isStreaming: boolean): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(
    Object.entries(isStreaming ? streamingGroups : errorGroups).flatMap(([group, responses]) =>
      Object.entries(responses).map(([status, response]) => [`${group}${status}`, response]),
    ),
  );
}

export function pathItems(offered: ApiFeatures): Readonly<Record<string, JsonValue>> {
  const rows = Object.entries(routeRows).filter(([name]) => isOffered(name, offered));
  const items: Record<string, JsonObject> = {};
  for (const [name, row] of rows) {
    const path = row.path.replace(/:(\w+)/, '{$1}');
    const parameters = parametersOf(row.path);
    items[path] = { ...parameters, ...items[path], ...methodsOf(name, row, offered.isStreaming) };
  }
  return items;
}

function parametersOf(path: string): JsonObject {
  if (path.includes(':userId')) return { parameters: [userIdParameter()] };
  if (!path.includes(':runId')) return {};
  return {
    parameters: [{ name: 'runId', in: 'path', required: true, schema: { type: 'string' } }],
  };
}

function methodsOf(operationId: string, row: RouteRow, isStreaming: boolean): JsonObject {
  const { summary } = row;
  if (row.kind === 'stream') {
    return isStreaming ? streamed(operationId, row) : missing(operationId, summary);
  }
  const described = { operationId, summary, ...operationOf(row) };
  if (row.kind !== 'open') return { [row.method.toLowerCase()]: described };
  const head = { ...described, operationId: `${operationId}-head`, summary: headSummary };
  return { get: described, head };
}

const headSummary = 'Same as GET, without a body';

function operationOf(row: Exclude<RouteRow, { kind: 'stream' }>): JsonObject {
  switch (row.kind) {
    case 'open':
      return open(row.answers);
    case 'call':
      return call(row.body, row.answer);
    case 'ask':
      return {
        ...(row.isKeyed ? { parameters: [idempotencyKey] } : {}),
        requestBody: { required: true, content: jsonOf(referenceTo(row.body)) },
        responses: {
          [row.status]: answer(referenceTo(row.answer), row.isKeyed ? ofKeyed : {}),
          ...errorsOf(row.errors),
        },
      };
    case 'report':
      return { responses: { 200: answer(referenceTo(row.answer), {}), ...errorsOf(row.errors) } };
  }
}

function open(answers: Readonly<Record<number, SchemaName>>): JsonObject {
  const responses = Object.entries(answers).map(([status, name]) => {
    const description = status === '200' ? 'Response' : 'The process is shutting down';
    return [status, { ...answer(referenceTo(name), {}), description }];
  });
  return { security: [], responses: Object.fromEntries(responses) };
}

function call(body: SchemaName, answered: SchemaName): JsonObject {
  return {
    parameters: [idempotencyKey],
    requestBody: { required: true, content: jsonOf(referenceTo(body)) },
    responses: { 200: answer(referenceTo(answered), ofAdmitted), ...errorsOf('Call') },
  };
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

function missing(name: string, summary: string, group: ErrorGroup = 'Stream'): JsonObject {
  const responses = errorsOf(group);
  return Object.fromEntries(
    methods.map((method) => {
      const operationId = method === 'post' ? name : `${name}-${method}`;
      return [method, { operationId, summary, responses }];
    }),
  );
}

function streamed(operationId: string, row: Extract<RouteRow, { kind: 'stream' }>): JsonObject {
  const described = { type: 'string', description: eventsOf(row.answer) };
  const content = { 'text/event-stream': { schema: described } };
  const otherwise = 'Not available: 404, or 501 if streaming is off for the app';
  return {
    ...missing(operationId, otherwise, 'OtherMethod'),
    post: {
      ...{ operationId, summary: row.streamed },
      parameters: [idempotencyKey, { $ref: '#/components/parameters/LastEventId' }],
      requestBody: { required: true, content: jsonOf(referenceTo(row.body)) },
      responses: { 200: { ...answer({}, streamHeaders), content }, ...errorsOf('StreamedCall') },
    },
  };
}

/** Stops proxies from buffering events. */
const streamHeaders = {
  ...ofAdmitted,
  'x-accel-buffering': { required: true, schema: { type: 'string', const: 'no' } },
} as const;

function eventsOf(answered: SchemaName): string {
  const middle = {
    ChatAnswer: '`text` (`StreamText`)',
    AgentAnswer: '`text` (`StreamText`) and `toolCall` (`ToolCall`, whole)',
    ObjectAnswer: '`json` (`StreamText`: not validated, for display only)',
  };
  const between = Object.hasOwn(middle, answered) ? Object(middle)[answered] : '';
  return `Server-sent events, each with \`id\`, \`event\` and one line of \`data\` (JSON of the named schema): \`start\` (\`StreamStart\`); ${between}; last \`finish\` (\`${answered}\`), or \`error\` (\`StreamError\`).`;
}

function answer(schema: JsonObject, more: JsonObject): JsonObject {
  const headers = { 'x-request-id': { $ref: '#/components/headers/RequestId' }, ...more };
  return { description: 'Response', headers, content: jsonOf(schema) };
}

function errorsOf(group: ErrorGroup): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.keys(streamingGroups[group]).map((status) => [
      status,
      { $ref: `#/components/responses/${group}${status}` },
    ]),
  );
}

function jsonOf(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function userIdParameter(): JsonObject {
  return { name: 'userId', in: 'path', required: true, schema: schemaJson(callFields.userId) };
}

const plainParameters = {
  IdempotencyKey: {
    name: 'idempotency-key',
    in: 'header',
    required: false,
    description:
      'Identifies one logical call: a retry with the same key gets its response and is not charged. Use a new key for each request',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: bodyLimits.idempotencyKeyCharactersMax,
      pattern: '^[\\x20-\\x7e]*$',
    },
  },
} as const;

const lastEventId = {
  name: headerNames.lastEventId,
  in: 'header',
  required: false,
  description:
    'With an idempotency key: id of the last received event; earlier events are skipped if the gateway still has them',
  schema: { type: 'string', pattern: '^\\d{1,15}$' },
} as const;

export function parameterComponents(isStreaming: boolean): JsonObject {
  return isStreaming ? { ...plainParameters, LastEventId: lastEventId } : plainParameters;
}
