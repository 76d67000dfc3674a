import { readFileSync } from 'node:fs';
import { apiErrors, gatewayErrors, routes, streamingPaths } from '@model-gateway/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/ingress/openapi/document.ts';
import { readVersion } from '../../src/version.ts';
import { findUndescribed } from '../support/described.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml } from '../support/stack.ts';

const document: unknown = JSON.parse(JSON.stringify(openApiDocument(readVersion())));

test('docs/openapi.json is the service’s response: npx node scripts/write-openapi.ts', () => {
  const file = new URL('../../../../docs/openapi.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(document);
});

test(
  'the admin listener returns it',
  onStack(async (stack) => {
    const page = await stack.service.monitor.pages['/openapi.json']?.();
    expect(page).toMatchObject({ status: 200, contentType: 'application/json' });
    expect(JSON.parse(page?.text ?? '')).toEqual(openApiDocument('0.0.0-test'));
  }),
);

test(
  'it names the bearer where ingress is on, and only there',
  onStack(
    async (stack) => {
      const page = await stack.service.monitor.pages['/openapi.json']?.();
      const served: unknown = JSON.parse(page?.text ?? '');
      expect(at(served, ['security'])).toEqual([{ ApiKey: [] }, { Bearer: [] }]);
      expect(at(served, ['components', 'securitySchemes', 'Bearer', 'scheme'])).toBe('bearer');
      expect(at(document, ['security'])).toEqual([{ ApiKey: [] }]);
      expect(at(document, ['components', 'securitySchemes', 'Bearer'])).toBeUndefined();
    },
    { yaml: `${defaultYaml}ingress: { openai: true }\n` },
  ),
);

test('it has every route, and for API routes every error that they may return', () => {
  const described = at(document, ['paths']);
  const paths = Object.values(routes).map(({ method, path }) => {
    const template = path.replace(/:(\w+)/, '{$1}');
    expect(at(described, [template, method.toLowerCase()]), template).toBeDefined();
    return template;
  });
  const all = new Set([...paths, ...streamingPaths]);
  expect(new Set(Object.keys(Object(described)))).toEqual(all);
  const responses = JSON.stringify(at(document, ['components', 'responses']));
  for (const code of Object.keys(apiErrors)) expect(responses).toContain(`"${code}"`);
  for (const { message } of Object.values(gatewayErrors)) {
    expect(responses).toContain(`"${message}"`);
  }
});

test('it names no server: it is served by the admin listener', () => {
  expect(at(document, ['servers'])).toEqual([
    {
      url: '{origin}',
      description: expect.stringContaining('Public listener'),
      variables: { origin: { default: 'http://127.0.0.1:8787', description: expect.any(String) } },
    },
  ]);
});

test('a route that is not available responds to every method', () => {
  const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
  for (const path of streamingPaths) {
    const item = Object(at(document, ['paths', path]));
    expect(Object.keys(item)).toEqual(methods);
    for (const method of methods) expect(item[method].responses).toHaveProperty('501');
  }
});

test('every pointer resolves, and every schema is valid', () => {
  const ajv = new Ajv2020({ strict: true, formats: { 'date-time': true } });
  let schemas = 0;
  const visit = (value: unknown) => {
    if (!isRecord(value)) return;
    if (typeof value.$ref === 'string') {
      expect(at(document, value.$ref.split('/').slice(1)), value.$ref).toBeDefined();
    }
    if (isRecord(value.schema)) {
      schemas += 1;
      expect(ajv.validateSchema(value.schema), ajv.errorsText()).toBe(true);
    }
    for (const part of Object.values(value)) visit(part);
  };
  visit(document);
  expect(schemas).toBeGreaterThan(50);
  for (const schema of Object.values(Object(at(document, ['components', 'schemas'])))) {
    expect(ajv.validateSchema(Object(schema)), ajv.errorsText()).toBe(true);
  }
});

test('names the validators once: a message and a tool call are not written out again', () => {
  const schemas = Object(at(document, ['components', 'schemas']));
  const { messages } = Object(at(schemas, ['AgentRequest', 'properties']));
  expect(messages).toEqual({
    type: 'array',
    minItems: 1,
    description: expect.stringContaining('send one tool message with the id of each call'),
    maxItems: 10_000,
    items: { $ref: '#/components/schemas/Message' },
  });
  expect(at(schemas, ['AgentAnswer', 'properties', 'toolCalls', 'items'])).toEqual({
    $ref: '#/components/schemas/ToolCall',
  });
});

const headers = { 'x-request-id': 'req_1' };
const forbidden = { status: 403, body: '{"message":"Forbidden"}', headers };

test.each([
  ['a status', 'GET', '/v1/usage', { ...forbidden, status: 418 }],
  ['a status of this route', 'GET', '/v1/usage', { ...forbidden, status: 409 }],
  ['a field', 'GET', '/v1/usage', { ...forbidden, body: '{"message":"Forbidden","more":1}' }],
  ['a sentence', 'GET', '/v1/usage', { ...forbidden, body: '{"message":"Nope"}' }],
  ['a header', 'GET', '/v1/usage', { ...forbidden, headers: { ...headers, 'x-more': '1' } }],
  ['a value', 'GET', '/v1/usage', { ...forbidden, headers: { ...headers, 'retry-after': 'x' } }],
  [
    "a request's error that names a model",
    'POST',
    '/v1/chat',
    { ...forbidden, body: '{"error":{"code":"DISABLED","message":"a","model":"b"}}' },
  ],
  ['an answer', 'GET', '/v1/models', { status: 200, body: '{"models":[{}]}', headers }],
])('tests find %s that it does not have', (_what, method, path, answer) => {
  expect(findUndescribed('GET', '/v1/usage', forbidden)).toBeUndefined();
  expect(findUndescribed(method, path, answer)).toBeDefined();
});

function at(value: unknown, place: readonly string[]): unknown {
  return place.reduce<unknown>((found, key) => (isRecord(found) ? found[key] : undefined), value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
