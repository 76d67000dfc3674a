import { existsSync, rmSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Config } from '../../domain/config.ts';
import { AdminError } from '../../operations/context/admin-error.ts';
import { checkEmail, issueKey } from '../../operations/keys/keys.ts';
import { cheapestModel } from '../../operations/platforms/smallest-call.ts';
import { catalogOf } from '../process/catalog.ts';
import type { CommandContext } from '../process/context.ts';
import { printDocument } from '../process/print.ts';
import { onApps } from '../process/run-admin.ts';
import { type Answers, askPlatforms, refuseKeys } from './ask-platforms.ts';
import { chooseProjects } from './choose-projects.ts';
import { firstFile } from './first-file.ts';
import { firstPlatform, type Vendor } from './first-platforms.ts';
import { type FirstDocument, firstLines } from './lines.ts';
import { type InitOptions, type InitPlace, loadText, writeNew } from './new-file.ts';

export async function initPlatforms(
  context: CommandContext,
  options: InitOptions,
  { file, schema, chosen }: InitPlace & { readonly chosen: readonly Vendor[] },
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

/** A start refuses a store of other apps. */
function refuseStore({ store }: Config): void {
  if (store.kind !== 'sqlite' || !existsSync(store.path)) return;
  throw new AdminError(
    `${store.path} is the store of another configuration; nothing was written: move it, or choose another file name with --config FILE`,
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
    const asked = answers.find(({ platform }) => platform.name === model.platform);
    const isListed = asked?.models?.includes(model.upstreamModel) ?? true;
    return asked !== undefined && isListed && !catalog.isRetired(model);
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
