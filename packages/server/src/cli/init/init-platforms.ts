import { existsSync, rmSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Config } from '../../domain/config.ts';
import { AdminError } from '../../operations/context/admin-error.ts';
import { checkEmail, issueKey } from '../../operations/keys/keys.ts';
import { firstCallLine } from '../../operations/keys/sample-keys.ts';
import { cheapestModel } from '../../operations/platforms/smallest-call.ts';
import type { CommandContext } from '../process/context.ts';
import { catalogOf } from '../process/platforms.ts';
import { printDocument } from '../process/print.ts';
import { onApps } from '../process/run-admin.ts';
import { type Answers, askPlatforms, chooseProjects, refuseKeys } from './ask-platforms.ts';
import { type FirstPlatform, firstPlatform, type Vendor } from './first-platforms.ts';
import { configOption, type InitOptions, type InitTarget, loadText, writeNew } from './new-file.ts';

export async function initPlatforms(
  context: CommandContext,
  options: InitOptions,
  { file, schema, chosen }: InitTarget & { readonly chosen: readonly Vendor[] },
): Promise<void> {
  const { company = 'my-company', app = 'my-app', email = `team@${company}.example` } = options;
  const platforms = chosen.map((vendor) => firstPlatform(vendor, context.environment));
  const stem = basename(file, extname(file));
  const store = `./data/${stem}.db`;
  const parts = { schema, company, app, platforms, store };
  const none = { projects: new Map(), models: new Map() };
  const draft = loadText(context, file, firstFile({ ...parts, ...none }));
  refuseStore(draft);
  checkEmail(email);
  const answers = await askPlatforms(context, draft, platforms);
  refuseKeys(answers);
  const projects = await chooseProjects(context, options, { app, answers, draft });
  const models = new Map(answers.map(({ platform, models: ids = [] }) => [platform.name, ids]));
  const yaml = firstFile({ ...parts, projects, models });
  const config = loadText(context, file, yaml);
  const model = await firstModel(context, config, answers);
  writeNew(file, yaml);
  const key = await issueFirst(context, { ...options, config: file }, { app, email });
  const unbound = answers.filter((each) => each.needsProject && !projects.has(each.platform.name));
  const document: FirstDocument = {
    file,
    apps: [app],
    platforms: [...chosen],
    projects: Object.fromEntries([
      ...projects,
      ...unbound.map(({ platform }) => [platform.name, null]),
    ]),
    key,
    model: model ?? null,
  };
  printDocument(context, options, document, () =>
    firstLines(document, { config, answers, unbound }),
  );
}

/** Startup rejects a store of other apps. */
function refuseStore({ store }: Config): void {
  if (store.kind !== 'sqlite' || !existsSync(store.path)) return;
  throw new AdminError(
    `${store.path} is the store of another configuration; nothing was written. Move the store, or choose another file name with --config FILE`,
  );
}

/** Only models with a price. */
async function firstModel(
  context: CommandContext,
  config: Config,
  answers: readonly Answers[],
): Promise<string | undefined> {
  const catalog = await catalogOf(context, config);
  const served = catalog.list().filter((model) => {
    const platformAnswers = answers.find(({ platform }) => platform.name === model.platform);
    const isListed = platformAnswers?.models?.includes(model.upstreamModel) ?? true;
    return platformAnswers !== undefined && isListed && !catalog.isRetired(model);
  });
  return cheapestModel(served)?.id;
}

/** Without a key the file is deleted, so the command can be repeated. */
async function issueFirst(
  context: CommandContext,
  options: InitOptions & { readonly config: string },
  request: { readonly app: string; readonly email: string },
): Promise<string> {
  try {
    return (await onApps(context, options, (admin) => issueKey(admin, request))).key;
  } catch (error) {
    rmSync(options.config);
    throw error;
  }
}

interface FirstFile {
  readonly schema: string;
  readonly company: string;
  readonly store: string;
  readonly platforms: readonly FirstPlatform[];
  readonly app: string;
  readonly projects: ReadonlyMap<string, string>;
  readonly models: ReadonlyMap<string, readonly string[]>;
}

/** One app with a budget of $5 a day. */
function firstFile(parts: FirstFile): string {
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
    'unpriced: refuse # calls to models without a price are rejected, because their cost has no exact limit',
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

/** Other texts need quotes in YAML. */
function quoted(text: string): string {
  return /^[A-Za-z][\w-]*$/.test(text) && !yamlWords.test(text) ? text : JSON.stringify(text);
}

const yamlWords = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

interface FirstDocument {
  readonly file: string;
  readonly apps: readonly string[];
  readonly platforms: readonly string[];
  /** By platform; null without one. */
  readonly projects: Readonly<Record<string, string | null>>;
  /** Shown only once. */
  readonly key: string;
  /** For the first call; null if no platform lists a model with a price. */
  readonly model: string | null;
}

function firstLines(
  { file, apps: [app = ''], platforms, projects, key, model }: FirstDocument,
  parts: {
    readonly config: Config;
    readonly answers: readonly Answers[];
    readonly unbound: readonly Answers[];
  },
): readonly string[] {
  const { config, answers, unbound } = parts;
  const { location, option } = configOption(file);
  const run = `npx model-gateway`;
  const { host, port } = config.listen;
  const bound = Object.entries(projects).filter(([, id]) => id !== null);
  const problems = answers.flatMap(({ check }) => (check.problem === null ? [] : [check.problem]));
  return [
    `Wrote ${location}: ${platforms.join(', ')}, and the app ${app} with a budget of $5 a day.`,
    ...bound.map(([platform, id]) => `Calls of ${app} on ${platform} are billed to ${id}.`),
    ...problems.map(
      (problem) => `Not checked: ${problem}. Check later: ${run} platforms check${option}`,
    ),
    '',
    `Key of ${app} (shown only now; only its hash is stored):`,
    `  ${key}`,
    '',
    'Next:',
    ...unbound.flatMap(({ platform: { name, projectHint } }) => [
      `  ${run} projects bind ${app} ${name} ID${option}`,
      `    Calls of ${app} on ${name} are rejected until you bind their project: ${projectHint}`,
    ]),
    `  ${run} serve${option}`,
    ...(model === null
      ? ['    Add a model to the file first: no platform lists one.']
      : [
          '',
          'Try a first call in a second terminal:',
          '',
          firstCallLine(`http://${host}:${port}`, key, { model, maxTokens: 2_000 }),
        ]),
  ];
}
