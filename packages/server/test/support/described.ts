import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Config } from '../../src/domain/config.ts';
import type { Answer } from '../../src/ingress/exchange/answer.ts';
import type { ApiFeatures } from '../../src/ingress/exchange/offered.ts';
import type { Ingress } from '../../src/ingress/ingress.ts';
import { openApiDocument } from '../../src/ingress/openapi/document.ts';

/** An ingress whose every answer is held against the API's description. */
export interface DescribedIngress {
  readonly ingress: Ingress;
  /** Answers that the description does not have: to be checked at the end of a test. */
  readonly problems: readonly string[];
}

type Described = Pick<Config, 'streaming' | 'models' | 'aliases' | 'platforms' | 'ingress'>;

/** What a service of this configuration is described with. */
function featuresOf({ streaming, models, aliases, platforms, ingress }: Described): ApiFeatures {
  // Of OpenAI's models some ship that do.
  const hasEmbeddings =
    models.some(({ kind }) => kind === 'embeddings') ||
    platforms.some(({ kind }) => kind === 'openai');
  const readsBearer = ingress.openai || ingress.anthropic;
  return { isStreaming: streaming, hasEmbeddings, hasAliases: aliases.length > 0, readsBearer };
}

/** Wraps an ingress; the answers pass unchanged. */
export function describedIngress(ingress: Ingress, config: Described): DescribedIngress {
  const problems: string[] = [];
  const offered = featuresOf(config);
  const check = (method: string, path: string, answer: Answer) => {
    // APIs of other makers, which this one's description leaves out.
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
      // What is malformed has no route: any will do, since all may be answered so.
      refuse: (name, path, remote) =>
        check('POST', path ?? '/v1/chat', ingress.refuse(name, path, remote)),
    },
  };
}

/** What is wrong with an answer, by the description; undefined when nothing is. */
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
  // Of a stream the description has a text alone: its events are read by tests of their own.
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

/** Headers of every answer, and of connections that are closed: they say nothing of this one. */
const commonHeaders = ['content-type', 'cache-control', 'x-content-type-options', 'connection'];

/** Where something is in the description: keys from its root on. */
type KeyPath = readonly string[];

/** The response of a request that was answered with a status. */
function keyPathOf(
  { document }: Description,
  { method, path, status }: { method: string; path: string; status: number },
): KeyPath {
  const isOf = (template: string) =>
    new RegExp(`^${template.replace(/\{\w+\}/, '[^/]+')}$`).test(path);
  const template = Object.keys(document.paths).find(isOf) ?? '';
  const item = ['paths', template];
  // Methods that no description can name are answered as POST is where no method is available.
  const isNamed = at(document, [...item, method.toLowerCase()]) !== undefined;
  const verb = isNamed || !path.endsWith('/stream') ? method.toLowerCase() : 'post';
  const operation = [...item, verb];
  // Where streams are on, those routes have POST alone.
  const isNoMethod = status === 404 && path.endsWith('/stream') && method !== 'POST';
  if (at(document, operation) !== undefined && !isNoMethod) {
    return follow(document, [...operation, 'responses', String(status)]);
  }
  return status === 404 ? ['notFound'] : ['components', 'responses', `Read${status}`];
}

/** The same place, or the one that it points to. */
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

/** What is not described has no route: the description says so in words alone. */
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

/** The description, closed: a field that it does not name is a mistake. */
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
