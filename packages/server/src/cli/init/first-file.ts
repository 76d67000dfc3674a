import type { FirstPlatform } from './first-platforms.ts';

export interface FirstFile {
  /** As the file names it, for editors. */
  readonly schema: string;
  readonly company: string;
  /** Relative to the configuration's folder. */
  readonly store: string;
  readonly platforms: readonly FirstPlatform[];
  readonly app: string;
  readonly projects: ReadonlyMap<string, string>;
  /** Unknown to the catalog, by platform. */
  readonly models: ReadonlyMap<string, readonly string[]>;
}

/** One app with a budget of $5 a day. */
export function firstFile(parts: FirstFile): string {
  const { schema, company, store, platforms, app, projects } = parts;
  const ids = [...projects].map(([platform, id]) => `${platform}: ${quoted(id)}`);
  const bound = ids.length === 0 ? '' : `, projects: { ${ids.join(', ')} }`;
  return [
    `# yaml-language-server: $schema=${schema}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of the file
    '# ${NAME} in a value is taken from the environment. A path is taken from the folder of this file.',
    `company: ${quoted(company)} # billing projects are named prod-${company}-core-<app>`,
    'listen: { host: 127.0.0.1, port: 8787 }',
    'admin: { host: 127.0.0.1, port: 8788 } # metrics and the console: keep it off the public network',
    `store: ${quoted(`sqlite:${store}`)}`,
    'ingress: { openai: true, anthropic: true } # the APIs of OpenAI and Anthropic, for their clients',
    'streaming: true',
    'limits: { stopMs: 300000 } # a shutdown waits this long for running streams',
    'unpriced: refuse # a model without a price is rejected: caps are exact',
    'platforms:',
    ...platforms.map(({ name, entry }) => `  ${name}: { ${entry} }`),
    ...modelLines(parts),
    'apps:',
    `  - { name: ${app}, dailyBudgetUsd: "5"${bound} }`,
    '',
  ].join('\n');
}

function modelLines({ platforms, models }: FirstFile): readonly string[] {
  const own = platforms.filter(({ hasCatalog }) => !hasCatalog);
  if (own.length === 0) return [];
  const rows = own.flatMap(({ name }) => (models.get(name) ?? []).map((id) => modelLine(id, name)));
  const about = '# No vendor bills these models: set an internal price per million tokens.';
  if (rows.length > 0) return [about, 'models:', ...rows];
  return [about, '# models:', ...own.map(({ name }) => `# ${modelLine('llama3.2', name)}`)];
}

function modelLine(id: string, platform: string): string {
  const rates = 'inputUsdPerMillion: "0.15", outputUsdPerMillion: "0.60"';
  return `  - { id: ${quoted(id)}, platform: ${platform}, ${rates}, maxOutputTokens: 4096 }`;
}

/** YAML can read it in no other way. */
function quoted(text: string): string {
  return /^[A-Za-z][\w-]*$/.test(text) && !yamlWords.test(text) ? text : JSON.stringify(text);
}

const yamlWords = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
