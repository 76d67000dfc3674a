import { type AppConfig, appSettings, type SettingKinds, settingKeys } from '../domain/app.ts';
import type { Plans } from '../domain/plan.ts';
import type { PlatformConfig } from '../domain/platform.ts';
import { factsOf } from '../domain/platform-kinds/platform-kinds.ts';
import { projectIdProblem } from '../domain/project-id.ts';
import { orNearest } from '../lib/nearest.ts';
import { credits, usd } from './amounts.ts';
import { type Field, fieldsOf, readList, report } from './field.ts';
import { defaultPlans, plansKeys } from './limits.ts';
import { modelId } from './model-id.ts';
import type { PlatformNames } from './models.ts';
import { omitUndefined } from './omit-undefined.ts';
import { type Reader, reader, textSchema } from './reader.ts';
import { count, positiveNumber, shortName, text, textLike, unique, yesOrNo } from './scalars.ts';
import {
  type Key,
  type Keys,
  key,
  openSection,
  readKeys,
  recordOf,
  required,
  type Section,
  sectionSchema,
  uniqueList,
} from './section.ts';
import { unpricedPolicy } from './unpriced.ts';

const appProjects = recordOf(reader(textSchema('^[\\x21-\\x7e]{1,256}$'), text));

/**
 * Two apps must not share an id: a platform's bill could not separate them. Use one checker for all
 * apps of a file.
 */
function createProjectsCheck(platforms: readonly PlatformConfig[], names: PlatformNames) {
  const owners = new Map<string, string>();
  return (app: string, field: Field): void => {
    if (field.tree.kind !== 'table') return;
    for (const [name, entry] of fieldsOf(field) ?? []) {
      if (entry.tree.kind !== 'scalar') continue;
      const id = entry.tree.text;
      const owner = owners.get(id) ?? app;
      const problem =
        problemOf(platforms, names, name, id) ??
        (owner === app ? undefined : `${id} is already the project of ${owner}`);
      if (problem !== undefined) report(entry, problem);
      owners.set(id, owner);
    }
  };
}

function problemOf(
  platforms: readonly PlatformConfig[],
  names: PlatformNames,
  name: string,
  id: string,
): string | undefined {
  if (names?.includes(name) === false) {
    return `unknown platform ${name}; the file has ${orNearest(name, names)}`;
  }
  const kind = platforms.find((each) => each.name === name)?.kind;
  // A faulty platform has been reported already.
  if (kind === undefined) return undefined;
  const { projects } = factsOf(kind);
  if (projects === 'own') return `a ${kind} creates its own projects; remove this`;
  if (projects === 'none') {
    return `platforms of the kind ${kind} have no projects; remove this`;
  }
  return projectIdProblem(kind, id);
}

// Some platforms join an app's tags into one text with commas.
const tagValue = textLike(
  /^[^,\p{Cc}]{1,128}$/u,
  'a string of at most 128 characters without a comma',
);
const tagSchema = { type: ['string', 'number', 'boolean'], pattern: '^[^,]{1,128}$' };

const tags = recordOf(reader(tagSchema, tagValue), {
  // Some platforms allow no more per project.
  ...{ max: 40, noun: 'tags', names: /^[A-Za-z0-9][\w.:/@+-]{0,63}$/ },
  rule: 'a name of letters, digits and _.:/@+-, a letter or a digit first, at most 64 characters',
});

/** Valid in a key's name and in a billing project's. */
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
    unpriced: unpricedPolicy,
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
  const older = key<unknown>('true: deprecated; same as unpriced: refuse', yesOrNo);
  return {
    name: required('Name of the app, as in its keys', appName),
    ...Object.fromEntries(keys.toSpliced(at, 0, ['requirePriced', older])),
    projects: key<unknown>('Ids of its existing projects, by platform', appProjects),
  };
}

export const appSchema = sectionSchema(appKeys(defaultPlans));

/** An app's rate limit uses the file's `plans` for missing keys. */
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
    { id: 'name' },
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
    `${requirePriced} conflicts with unpriced: ${unpriced}; remove requirePriced (deprecated, same as unpriced: refuse)`,
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
      report(
        field,
        `${JSON.stringify(app.project)} is the project of all calls without one; use another project`,
      );
    }
    const owner = owners.get(project);
    if (owner !== undefined)
      report(field, `${JSON.stringify(project)} is already the project of ${owner}`);
    owners.set(project, app.name);
  }
}
