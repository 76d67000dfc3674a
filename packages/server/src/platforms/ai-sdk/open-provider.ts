import type { LanguageModelV4 } from '@ai-sdk/provider';

export interface Provider {
  languageModel(modelId: string): unknown;
}

export type OpenedProvider = { readonly provider: Provider } | { readonly problem: string };

/** Uses the only exported function `create…`; of several, the function with the package's name. */
export function openProvider(
  { name, version, exports }: NamedPackage,
  options: Readonly<Record<string, unknown>>,
): OpenedProvider {
  const factories = Object.entries(exports).filter(isFactory);
  const ofName = factories.filter(([key]) => plain(key) === `create${plain(lastPart(name))}`);
  const [factory, another] = factories.length === 1 ? factories : ofName;
  if (factory === undefined || another !== undefined) {
    return {
      problem: `${name} does not have exactly one createX export with its name; ${describeExports(exports)}`,
    };
  }
  const [factoryName, create] = factory;
  try {
    const provider = create(options);
    if (isProvider(provider)) return { provider };
    const line = lineOf(provider);
    const factoryLabel = `${factoryName} of ${name} ${version}`.trimEnd();
    const fault =
      line === undefined ? 'does not return a provider' : `returns a provider of ${line}, not`;
    return {
      problem: `${factoryLabel} ${fault} of the AI SDK 7; run "npm install ${name}@latest"`,
    };
  } catch (error) {
    // The message is omitted: it may quote the options, which contain credentials.
    const why = error instanceof Error ? error.name : typeof error;
    return { problem: `${factoryName} of ${name} rejected its options: ${why}` };
  }
}

interface NamedPackage {
  readonly name: string;
  readonly version: string;
  readonly exports: object;
}

/** AI SDK lines by the reported version of providers or models. */
const lines: Readonly<Record<string, string>> = {
  v1: 'the AI SDK 4',
  v2: 'the AI SDK 5',
  v3: 'the AI SDK 6',
};

function lineOf(provider: unknown): string | undefined {
  const isObject = typeof provider === 'object' || typeof provider === 'function';
  if (!isObject || provider === null) return undefined;
  const model = () => Reflect.get(provider, 'languageModel')?.('model');
  const version = Reflect.get(provider, 'specificationVersion') ?? model()?.specificationVersion;
  return lines[String(version)];
}

type Factory = (options: Readonly<Record<string, unknown>>) => unknown;

function isFactory(entry: [string, unknown]): entry is [string, Factory] {
  return /^create[A-Z]/.test(entry[0]) && typeof entry[1] === 'function';
}

function describeExports(exports: object): string {
  const names = Object.keys(exports).filter((key) => key !== 'default');
  const shown = names.slice(0, 20).join(', ');
  return names.length === 0 ? 'it exports nothing by name' : `it exports ${shown}`;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function isProvider(value: unknown): value is Provider {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  if (Reflect.get(value, 'specificationVersion') !== 'v4') return false;
  return typeof Reflect.get(value, 'languageModel') === 'function';
}

export function isLanguageModel(value: unknown): value is LanguageModelV4 {
  if (typeof value !== 'object' || value === null) return false;
  if (Reflect.get(value, 'specificationVersion') !== 'v4') return false;
  return typeof Reflect.get(value, 'doGenerate') === 'function';
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
