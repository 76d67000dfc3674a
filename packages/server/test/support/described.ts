import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Config } from '../../src/domain/config.ts';
import type { Answer } from '../../src/ingress/exchange/answer.ts';
import type { ApiFeatures } from '../../src/ingress/exchange/offered.ts';
import type { Ingress } from '../../src/ingress/ingress.ts';
import { openApiDocument } from '../../src/ingress/openapi/document.ts';

/** An ingress whose every response is compared with the API's description. */
export interface DescribedIngress {
  readonly ingress: Ingress;
  /** Responses that differ from the description: check this at the end of a test. */
  readonly problems: readonly string[];
}

type Described = Pick<Config, 'streaming' | 'models' | 'aliases' | 'platforms' | 'ingress'>;

/** The features in the description for this configuration. */
function featuresOf({ streaming, models, aliases, platforms, ingress }: Described): ApiFeatures {
  // Some of OpenAI's built-in models do.
  const hasEmbeddings =
    models.some(({ kind }) => kind === 'embeddings') ||
    platforms.some(({ kind }) => kind === 'openai');
  const readsBearer = ingress.openai || ingress.anthropic;
  return { isStreaming: streaming, hasEmbeddings, hasAliases: aliases.length > 0, readsBearer };
}

/** Wraps an ingress; the responses pass unchanged. */
export function describedIngress(ingress: Ingress, config: Described): DescribedIngress {
  const problems: string[] = [];
  const offered = featuresOf(config);
  const check = (method: string, path: string, answer: Answer) => {
    // APIs of other vendors, which this one's description omits.
    if (config.ingress.openai && path.startsWith('/openai/')) return answer;
    if (config.ingress.anthropic && path.startsWith('/anthropic/')) return answer;
    const problem = findUndescribed(method, path, answer, offered);
    if (problem !== undefined) problems.push(problem);
    return answer;
  };
  return {
    problems,
    ingress: {
      ...ingress,
      async handle(request) {
        return check(request.method, request.path, await ingress.handle(request));
      },
      // A malformed request has no route: any is valid, since all may return this.
      refuse: (name, path, remote) =>
        check('POST', path ?? '/v1/chat', ingress.refuse(name, path, remote)),
    },
  };
}

/** The difference between a response and the description; undefined if none. */
export function findUndescribed(
  method: string,
  path: string,
  answer: Answer,
  offered: Partial<ApiFeatures> = {},
): string | undefined {
  const { status, body, headers } = answer;
  const where = `${method} ${path} ${status}`;
  const description = descriptionOf(offered);
  const { document, validatorOf } = description;
  const keyPath = keyPathOf(description, { method, path, status });
  const response = at(document, keyPath);
  if (response === undefined) return `${where}: the description has no such answer: ${body}`;
  const [type = ''] = (headers['content-type'] ?? 'application/json').split(';');
  if (at(response, ['content', type]) === undefined) return `${where}: it is no ${type}`;
  // For a stream the description has only a text: its events have their own tests.
  if (type === 'application/json' && answer.stream === undefined) {
    const isBody = validatorOf([...keyPath, 'content', type, 'schema']);
    if (!isBody(JSON.parse(body))) return `${where}: ${body}: ${ajvErrors(isBody)}`;
  }
  for (const [name, value] of Object.entries(headers)) {
    if (commonHeaders.includes(name)) continue;
    const header = follow(document, [...keyPath, 'headers', name]);
    if (at(document, header) === undefined) return `${where}: there is no header ${name}`;
    const isHeader = validatorOf([...header, 'schema']);
    if (!isHeader(value)) return `${where}: ${name}: ${value}`;
  }
  return undefined;
}

/** Headers of every response, and of closed connections: they are not specific to it. */
const commonHeaders = ['content-type', 'cache-control', 'x-content-type-options', 'connection'];

/** The location of a part of the description: keys from its root on. */
type KeyPath = readonly string[];

/** The response of a request with a status. */
function keyPathOf(
  { document }: Description,
  { method, path, status }: { method: string; path: string; status: number },
): KeyPath {
  const isOf = (template: string) =>
    new RegExp(`^${template.replace(/\{\w+\}/, '[^/]+')}$`).test(path);
  const template = Object.keys(document.paths).find(isOf) ?? '';
  const item = ['paths', template];
  // The description cannot name all methods: they respond like POST if no method is available.
  const isNamed = at(document, [...item, method.toLowerCase()]) !== undefined;
  const verb = isNamed || !path.endsWith('/stream') ? method.toLowerCase() : 'post';
  const operation = [...item, verb];
  // With streams on, those routes have only POST.
  const isNoMethod = status === 404 && path.endsWith('/stream') && method !== 'POST';
  if (at(document, operation) !== undefined && !isNoMethod) {
    return follow(document, [...operation, 'responses', String(status)]);
  }
  return status === 404 ? ['notFound'] : ['components', 'responses', `Read${status}`];
}

/** The same location, or its target. */
function follow(document: unknown, keyPath: KeyPath): KeyPath {
  const reference = at(document, [...keyPath, '$ref']);
  return typeof reference === 'string' ? reference.split('/').slice(1) : keyPath;
}

function at(value: unknown, keyPath: KeyPath): unknown {
  return keyPath.reduce<unknown>(
    (current, key) => (isRecord(current) ? current[key] : undefined),
    value,
  );
}

const notFoundBody = {
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      additionalProperties: false,
      properties: { code: { const: 'NOT_FOUND' }, message: { type: 'string', minLength: 1 } },
    },
  },
} as const;

/** An undescribed request has no route: the description has this only in words. */
const notFound = {
  headers: {
    'x-request-id': { schema: { type: 'string' } },
    'x-should-retry': { schema: { const: 'false' } },
  },
  content: { 'application/json': { schema: notFoundBody } },
};

interface Description {
  readonly document: { readonly paths: object };
  readonly validatorOf: (keyPath: KeyPath) => ValidateFunction;
}

const descriptions = new Map<string, Description>();

function descriptionOf(offered: Partial<ApiFeatures>): Description {
  const key = JSON.stringify(offered);
  const known = descriptions.get(key);
  const description = known ?? describe(offered);
  descriptions.set(key, description);
  return description;
}

/** The description, closed: a field that it does not name is an error. */
function describe(offered: Partial<ApiFeatures>): Description {
  const openApi = openApiDocument('0.0.0-test', offered);
  const { paths, components } = JSON.parse(JSON.stringify(openApi, close));
  const document = { paths, components, notFound };
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
  ajv.addSchema(document, 'openapi', undefined, false);
  const validators = new Map<string, ValidateFunction>();
  return { document, validatorOf };

  function validatorOf(keyPath: KeyPath): ValidateFunction {
    const pointer = keyPath.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
    const known = validators.get(pointer);
    if (known !== undefined) return known;
    const made = ajv.compile({ $ref: `openapi#/${encodeURI(pointer)}` });
    validators.set(pointer, made);
    return made;
  }
}

function ajvErrors({ errors }: ValidateFunction): string {
  return (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join(', ');
}

function close(_key: string, value: unknown): unknown {
  const isSchema = isRecord(value) && value.type === 'object' && value.properties !== undefined;
  return isSchema ? { additionalProperties: false, ...value } : value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
