import { routes } from '@model-gateway/contract';
import type { IngressConfig } from '../../domain/ingress.ts';

export type ApisOn = Pick<IngressConfig, 'openai' | 'anthropic'>;

type Client = 'own' | 'openai' | 'anthropic';

const tails: Readonly<Record<string, readonly Client[]>> = {
  ...{ 'chat/completions': ['openai'], completions: ['openai'], responses: ['openai'] },
  ...{ embeddings: ['openai'], messages: ['anthropic'], complete: ['anthropic'] },
  ...Object.fromEntries(
    Object.values(routes)
      .filter(({ path }) => path.startsWith('/v1/'))
      .map(({ path }) => [path.slice('/v1/'.length).replace(/\/:.*/, ''), ['own']]),
  ),
  models: ['own', 'openai', 'anthropic'],
};

const baseWords: ReadonlySet<string> = new Set(['openai', 'anthropic', 'v1']);
const baseWordsMax = 4;
const pathLengthMax = 200;

interface ClientPath {
  readonly base: string;
  readonly tail: string;
}

function readPath(path: string): ClientPath | undefined {
  if (path.length > pathLengthMax) return undefined;
  const words = path.split('/').filter((word) => word !== '');
  const end = words.findIndex((word) => !baseWords.has(word));
  const rest = end === -1 ? [] : words.slice(end);
  const own = words.slice(0, words.length - rest.length);
  if (own.length > baseWordsMax) return undefined;
  const [first = '', second] = rest;
  // The remaining words name an object, such as a response or a model.
  const tail = [`${first}/${second}`, first].find((each) => Object.hasOwn(tails, each)) ?? '';
  return { base: own.map((word) => `/${word}`).join(''), tail };
}

/** Shows operators which client has a wrong base URL. Undefined for unknown words. */
export function knownPathOf(path: string): string | undefined {
  const read = readPath(path);
  return read === undefined || read.tail === '' ? undefined : `${read.base}/${read.tail}`;
}

/** Undefined for unknown paths. Ignores the `host` header, which callers control. */
export function rightBaseOf(path: string, on: ApisOn): string | undefined {
  const read = readPath(path);
  if (read === undefined) return undefined;
  const tree = treeOf(read.base);
  if (tree !== 'own' && !on[tree]) return sentenceOf(tree, on);
  const clients = (tails[read.tail] ?? []).filter((client) => mayMean(client, read, tree));
  return clients.length === 0
    ? undefined
    : clients.map((client) => sentenceOf(client, on)).join('; ');
}

function treeOf(base: string): Client {
  if (/^\/openai\b/.test(base)) return 'openai';
  return /^\/anthropic\b/.test(base) ? 'anthropic' : 'own';
}

function mayMean(client: Client, { base, tail }: ClientPath, tree: Client): boolean {
  const isShared = tails[tail]?.includes(tree) === true;
  // The path belongs to the tree's client if that client appends this tail.
  if (isShared && tree !== 'own') return client === tree && base !== rightBases[client];
  if (isShared && base === rightBases.own) return false;
  return client !== 'own' || tree === 'own';
}

const rightBases: Readonly<Record<Client, string>> = {
  ...{ own: '/v1', openai: '/openai/v1', anthropic: '/anthropic/v1' },
};

function sentenceOf(client: Client, on: ApisOn): string {
  if (client === 'own') return "the base URL of the gateway's own client ends in /v1";
  const { name, base } = vendors[client];
  if (on[client]) return `the base URL of the ${name} client ends in ${base}`;
  return `the ${name} API is off; ask the operator for \`ingress: { ${client}: true }\`, then use a base URL that ends in ${base}`;
}

const vendors = {
  openai: { name: 'OpenAI', base: '/openai/v1' },
  anthropic: { name: 'Anthropic', base: '/anthropic, without /v1' },
} as const;
