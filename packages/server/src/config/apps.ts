import { type AppConfig, appSettings, type SettingKinds, settingKeys } from '../domain/app.ts';
import type { Plans } from '../domain/plan.ts';
import type { PlatformConfig } from '../domain/platform.ts';
import { unpricedPolicies } from '../domain/unpriced-policy.ts';
import { credits, usd } from './amounts.ts';
import { appProjects, createProjectsCheck } from './app-projects.ts';
import { type Field, readList, report } from './field.ts';
import { defaultPlans, plansKeys } from './limits.ts';
import { modelId } from './model-id.ts';
import type { PlatformNames } from './models.ts';
import { omitUndefined } from './omit-undefined.ts';
import { type Reader, reader } from './reader.ts';
import { count, oneOf, positiveNumber, shortName, textLike, unique, yesOrNo } from './scalars.ts';
import {
  type Key,
  type Keys,
  key,
  openSection,
  readKeys,
  required,
  type Section,
  sectionSchema,
  uniqueList,
} from './section.ts';
import { tags } from './tags.ts';

/** A name that fits a key's name and a billing project's. */
export const appName = shortName('an app');

const projectName = textLike(/^[\w.:/ -]{1,128}$/, 'the name of a project');

export function readersOf(defaults: Plans): {
  readonly [Kind in keyof SettingKinds]: Reader<Exclude<SettingKinds[Kind], undefined>>;
} {
  const plans = plansKeys(defaults);
  return {
    flag: yesOrNo,
    optionalFlag: yesOrNo,
    count: count(1),
    optionalCount: count(1),
    rate: positiveNumber,
    unpriced: oneOf(unpricedPolicies),
    budget: usd,
    models: uniqueList(modelId),
    credits,
    project: projectName,
    plans: reader(sectionSchema(plans), (field) => readKeys(field, plans)),
    tags,
  };
}

function appKeys(defaults: Plans): Keys<Record<string, unknown>> {
  const readers = readersOf(defaults);
  const keys = settingKeys.map((each): [string, Key<unknown>] => {
    const { kind, name, about } = appSettings[each];
    return [name, key<unknown>(about, readers[kind])];
  });
  const at = settingKeys.indexOf('unpriced');
  const older = key<unknown>('true: the older word for unpriced: refuse', yesOrNo);
  return {
    name: required('Name of the app, as its keys have it', appName),
    ...Object.fromEntries(keys.toSpliced(at, 0, ['requirePriced', older])),
    projects: key<unknown>('Ids of its projects that are there already, by platform', appProjects),
  };
}

export const appSchema = sectionSchema(appKeys(defaultPlans));

/** An app's plan takes missing keys from the file's plans. */
export function readApps(
  field: Field,
  parts: {
    readonly company: string;
    readonly plans: Plans;
    readonly platforms: readonly PlatformConfig[];
    readonly names: PlatformNames;
  },
): readonly AppConfig[] {
  const keys = appKeys(parts.plans);
  const newName = unique(appName);
  const names = createProjects(parts.company);
  const checkIds = createProjectsCheck(parts.platforms, parts.names);
  return readList(
    field,
    (item) => {
      const section = openSection(item, keys);
      const app = { name: section.readWith('name', newName) ?? '', ...readSettings(section, keys) };
      checkUnpriced(section.field('requirePriced'), app);
      names.claim(section.field('project') ?? item, app);
      const ids = section.field('projects');
      if (ids !== undefined) checkIds(app.name, ids);
      return app;
    },
    'name',
  );
}

function readSettings<T>(section: Section<T>, keys: Keys<T>): Omit<AppConfig, 'name'>;
function readSettings(section: Section<Record<string, unknown>>, keys: object): object {
  const codeNames = new Map<string, string>(
    settingKeys.map((each) => [appSettings[each].name, each]),
  );
  const [_name, ...names] = Object.keys(keys);
  return omitUndefined(
    Object.fromEntries(names.map((name) => [codeNames.get(name) ?? name, section.read(name)])),
  );
}

function checkUnpriced(field: Field | undefined, { requirePriced, unpriced }: AppConfig): void {
  if (field === undefined || requirePriced === undefined || unpriced === undefined) return;
  if (requirePriced === (unpriced === 'refuse')) return;
  report(
    field,
    `${requirePriced} contradicts unpriced: ${unpriced}; remove requirePriced, the older word for unpriced: refuse`,
  );
}

/**
 * A platform's bill could not separate two apps on one project, or an app on the default project
 * from other use of it.
 */
function createProjects(company: string) {
  const owners = new Map<string, string>();
  return { claim };

  function claim(field: Field, app: AppConfig): void {
    if (app.name === '') return;
    const project = (app.project ?? `prod-${company}-core-${app.name}`).trim();
    if (project.toLowerCase() === 'default') {
      report(field, `${JSON.stringify(app.project)} is the project of every call that names none`);
    }
    const owner = owners.get(project);
    if (owner !== undefined)
      report(field, `${JSON.stringify(project)} is the project of ${owner} already`);
    owners.set(project, app.name);
  }
}
