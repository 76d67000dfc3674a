import type { CommandContext } from '../process/context.ts';
import { UsageError } from '../process/usage-error.ts';

export const vendors = ['openai', 'anthropic', 'bedrock', 'ollama'] as const;

export type Vendor = (typeof vendors)[number];

export interface FirstPlatform {
  readonly name: Vendor;
  readonly entry: string;
  readonly hasCatalog: boolean;
  /** The key's variable; undefined if the vendor's SDK finds the key. */
  readonly keyVariable: string | undefined;
  readonly projectHint: string;
}

type Environment = CommandContext['environment'];

/** Uses the variables of the vendor's own tools. */
export function firstPlatform(vendor: Vendor, environment: Environment): FirstPlatform {
  switch (vendor) {
    case 'openai':
      return {
        ...{ name: vendor, hasCatalog: true, keyVariable: 'OPENAI_API_KEY' },
        entry: entryOf('openai', 'OPENAI', environment),
        projectHint: 'proj_…, at https://platform.openai.com/settings/organization/projects',
      };
    case 'anthropic':
      return {
        ...{ name: vendor, hasCatalog: true, keyVariable: 'ANTHROPIC_API_KEY' },
        entry: entryOf('anthropic', 'ANTHROPIC', environment),
        projectHint: 'wrkspc_…, at https://platform.claude.com/settings/workspaces',
      };
    case 'bedrock':
      return {
        ...{ name: vendor, hasCatalog: true, keyVariable: undefined },
        entry: `kind: bedrock-mantle, region: ${regionOf(environment)}`,
        projectHint: 'proj_…; "model-gateway projects apply" creates one',
      };
    case 'ollama':
      return {
        ...{ name: vendor, hasCatalog: false, keyVariable: undefined },
        entry: `kind: openai-compatible, baseUrl: "${ollamaUrl(environment.OLLAMA_HOST)}", apiKey: none`,
        projectHint: '',
      };
  }
}

function entryOf(kind: string, prefix: string, environment: Environment): string {
  const baseUrl = environment[`${prefix}_BASE_URL`] || undefined;
  const hasAdminKey = Boolean(environment[`${prefix}_ADMIN_KEY`]);
  return [
    `kind: ${kind}`,
    ...(baseUrl === undefined ? [] : [`baseUrl: ${JSON.stringify(baseUrl)}`]),
    `apiKey: "\${${prefix}_API_KEY}"`,
    ...(hasAdminKey ? [`adminApiKey: "\${${prefix}_ADMIN_KEY}"`] : []),
  ].join(', ');
}

function regionOf({ AWS_REGION, AWS_DEFAULT_REGION }: Environment): string {
  const region = AWS_REGION || AWS_DEFAULT_REGION;
  if (region) return region;
  throw new UsageError(
    'the environment variable AWS_REGION is not set; set it, for example to us-east-1',
  );
}

/** Ollama's variable is a host, a host with port, or a URL. Its server may listen anywhere. */
function ollamaUrl(host = ''): string {
  const text = /^https?:\/\//.test(host) ? host : `http://${host || '127.0.0.1'}`;
  if (!URL.canParse(text)) {
    throw new UsageError(
      `OLLAMA_HOST: ${JSON.stringify(host)} must be a host, for example 127.0.0.1:11434`,
    );
  }
  const url = new URL(text);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  const hasPort = url.port !== '' || /^https?:\/\//.test(host);
  return `${url.protocol}//${url.hostname}:${hasPort ? url.port || portOf(url) : '11434'}/v1`;
}

function portOf({ protocol }: URL): string {
  return protocol === 'https:' ? '443' : '80';
}
