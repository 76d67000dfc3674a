import { Type } from 'typebox';
import { schemaJson } from '../../lib/schema-json.ts';
import { errorStatuses } from '../../operations/context/console-error.ts';
import { type Action, rights } from '../../operations/context/session.ts';
import { describeFormerNames } from '../../operations/description/former-names.ts';
import { pageSecretHeader } from '../auth/cookies.ts';
import { type AnyRoute, route } from './route.ts';

const description = `The API of the console, also for scripts. Scripts send the header \`authorization: Bearer mgt_…\`,
with a token from \`model-gateway tokens issue\`. Browsers send a cookie, on loopback together with
\`x-console-secret\`, and send \`x-requested-with: console\` with every change.

Amounts are exact decimal strings in USD. Days and months are UTC. Lists are paged: pass \`after\` of
a page to get the next one. A change requires a \`reason\` and writes one audit log line. With
\`dryRun\` it changes nothing and returns a preview. To change a document that was read with an
\`ETag\`, send \`If-Match\`; the response is 412 with the current state if it has changed.`;

/** OpenAPI 3.1, generated from the routes and their schemas. */
export function adminOpenApi(routes: readonly AnyRoute[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const item = paths[path] ?? {};
    paths[path] = item;
    item[route.method.toLowerCase()] = operationOf(route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Model Gateway Console API', version, description, license: { name: 'MIT' } },
    servers: [{ url: '/', description: 'Admin listener (`admin` in the configuration)' }],
    security: [{ Token: [] }, { Session: [], PageSecret: [] }, { Session: [] }],
    paths,
    components: {
      securitySchemes: {
        Token: { type: 'http', scheme: 'bearer', description: 'Admin token, `mgt_…`' },
        Session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-mg',
          description: 'Session cookie, set at login',
        },
        PageSecret: {
          ...{ type: 'apiKey', in: 'header', name: pageSecretHeader },
          description: '`pageSecret` from the login response, unless null',
        },
      },
      responses: errorResponses(),
      schemas: { Error: errorSchema },
    },
  };
}

function operationOf(route: AnyRoute): object {
  const { action, answer, answerType, method, path, query, status = 200, summary } = route;
  const { replacedBy } = route;
  const words = path.replace('/admin/', '').split('/');
  const names = words.filter((word) => word.startsWith(':')).map((word) => word.slice(1));
  const answerText = answerType ?? 'application/json';
  const isFile = answerType !== undefined;
  const content = {
    [answerText]: { schema: isFile ? { type: 'string' } : plain(describeFormerNames(answer)) },
  };
  return {
    operationId: [method.toLowerCase(), ...words.map((word) => word.replace(':', 'by-'))].join('-'),
    summary,
    ...(replacedBy !== undefined && {
      ...{ deprecated: true, description: `Deprecated alias of \`${replacedBy}\`` },
    }),
    ...(action === 'anyone' ? { security: [] } : {}),
    'x-roles': rolesOf(action),
    parameters: [
      ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...queryParameters(query),
      ...(isChange(route) ? [ifMatch] : []),
    ],
    ...requestBodyOf(route),
    responses: {
      [status]: { description: isFile ? `${summary}: ${answerText}` : summary, content },
      ...refusalsOf(route),
    },
  };
}

function requestBodyOf(route: AnyRoute): object {
  const body = bodyOf(route);
  if (body === undefined) return {};
  const file = { schema: { type: 'string', format: 'binary' } };
  const files = (route.files?.types ?? []).map((type) => [type, file]);
  const content = { 'application/json': { schema: plain(body) }, ...Object.fromEntries(files) };
  return { requestBody: { required: true, content } };
}

function bodyOf({ body, files }: AnyRoute) {
  return body ?? files?.json;
}

const ifMatch = {
  name: 'if-match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the document when it was read',
  schema: { type: 'string' },
} as const;

function queryParameters(query: AnyRoute['query']): readonly object[] {
  const { properties, required = [] } = Object(plain(query));
  return Object.entries(Object(properties)).map(([name, schema]) => ({
    ...{ name, in: 'query', required: required.includes(name), schema },
    // The values are one text, with commas between them.
    ...(Object(schema).type === 'array' && { explode: false }),
  }));
}

function rolesOf(action: Action): readonly string[] {
  if (action === 'anyone' || action === 'signed-in') return [action];
  return rights[action].roles;
}

function isChange(route: AnyRoute): boolean {
  return 'reason' in Object(Object(plain(bodyOf(route))).properties);
}

function refusalsOf(route: AnyRoute): Readonly<Record<string, object>> {
  const { action, path } = route;
  const body = bodyOf(route);
  const codes: (keyof typeof errorStatuses)[] = ['CROSS_SITE', 'MISDIRECTED', 'TOO_LONG'];
  codes.push('LIMITED', 'INTERNAL', 'STORE_AWAY');
  if (action !== 'anyone') codes.push('UNAUTHENTICATED', 'FORBIDDEN');
  if (body !== undefined || route.query !== undefined) codes.push('INVALID');
  if (body !== undefined) codes.push('TOO_LARGE', 'UNAUTHENTICATED');
  if (path.includes(':')) codes.push('NOT_FOUND');
  if (isChange(route)) codes.push('CONFLICT', 'CHANGED', 'NOT_FOUND', 'AWAY');
  const statuses = [...new Set(codes.map((code) => errorStatuses[code]))].toSorted();
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  );
}

function nameOf(status: number): string {
  return `Error${status}`;
}

/** Several codes can share a status. */
function errorResponses(): object {
  const statuses = [...new Set(Object.values(errorStatuses))];
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = Object.entries(errorStatuses).filter(([, its]) => its === status);
      const description = codes.map(([code]) => code).join(', ');
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
      return [nameOf(status), { description, content }];
    }),
  );
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      additionalProperties: false,
      properties: {
        code: { enum: Object.keys(errorStatuses) },
        message: { type: 'string', description: 'Problem, and how to fix it' },
        field: { type: 'string', description: 'Field of the query or body' },
        now: { type: 'object', description: 'Current state, if it has changed' },
      },
    },
  },
} as const;

/** Drops the schema library's own symbols. */
function plain(schema: unknown): unknown {
  return schema === undefined ? undefined : schemaJson(Object(schema));
}

export function openApiRoute(others: readonly AnyRoute[]): AnyRoute {
  const own: AnyRoute = route({
    method: 'GET',
    path: '/admin/openapi.json',
    action: 'anyone',
    apps: 'none',
    summary: 'This document',
    answer: Type.Object({}, { description: 'OpenAPI 3.1 document' }),
    handle: async ({ version }) => ({ body: adminOpenApi([own, ...others], version) }),
  });
  return own;
}
