import type { AppConfig } from '../domain/app.ts';
import type { Plans } from '../domain/plan.ts';
import { unpricedPolicies } from '../domain/unpriced-policy.ts';
import { credits, usd } from './amounts.ts';
import { type Field, readList, report } from './field.ts';
import { defaultPlans, plansKeys } from './limits.ts';
import { modelId } from './models.ts';
import { omitUndefined } from './omit-undefined.ts';
import { reader } from './reader.ts';
import { oneOf, textLike, unique, yesOrNo } from './scalars.ts';
import { key, openSection, readKeys, required, sectionSchema, uniqueList } from './section.ts';

/** A name that fits a key's name and a billing project's. */
const appName = textLike(
  /^[a-z][a-z0-9-]{0,62}$/,
  'no name for an app; use a-z, 0-9 and "-", a letter first, at most 63 characters',
);

const projectName = textLike(/^[\w.:/ -]{1,128}$/, 'no name for a project');

const appKeys = {
  name: required('Name of the app, as its keys have it', appName),
  enabled: key('false refuses every call of the app', yesOrNo),
  dailyBudgetUsd: key('What it may spend in a UTC day; without it there is no budget', usd),
  models: key('The only models it may use; without it every model', uniqueList(modelId)),
  credits: key('Wallets of its users; without it none', credits),
  requirePriced: key('true: the older word for unpriced: refuse', yesOrNo),
  unpriced: key('What calls of a model without a price count as', oneOf(unpricedPolicies)),
  streaming: key('Whether its answers may be told as they come', yesOrNo),
  storeAnswers: key('false keeps no answers for repeated requests', yesOrNo),
  project: key('Its billing project; default: prod-<company>-core-<app>', projectName),
  plans: key(
    'Request limits of its keys; what is not named is as in the plans of the file',
    somePlans(defaultPlans),
  ),
};

/** One entry of `apps`. */
export const appSchema = sectionSchema(appKeys);

function somePlans(defaults: Plans) {
  const keys = plansKeys(defaults);
  return reader(sectionSchema(keys), (field) => readKeys(field, keys));
}

/** Reads `apps`. An app's plan takes what it does not name from the plans of the file. */
export function readApps(
  field: Field,
  parts: { readonly company: string; readonly plans: Plans },
): readonly AppConfig[] {
  const newName = unique(appName);
  const projects = createProjects(parts.company);
  return readList(field, (item) => {
    const section = openSection(item, appKeys);
    const app = omitUndefined({
      name: section.readWith('name', newName) ?? '',
      enabled: section.read('enabled'),
      dailyBudgetPicoUsd: section.read('dailyBudgetUsd'),
      models: section.read('models'),
      credits: section.read('credits'),
      requirePriced: section.read('requirePriced'),
      unpriced: section.read('unpriced'),
      streaming: section.read('streaming'),
      storeAnswers: section.read('storeAnswers'),
      project: section.read('project'),
      plans: section.readWith('plans', somePlans(parts.plans)),
    });
    checkUnpriced(section.field('requirePriced'), app);
    projects.claim(section.field('project') ?? item, app);
    return app;
  });
}

/** Two words for one thing must not contradict each other. */
function checkUnpriced(field: Field | undefined, { requirePriced, unpriced }: AppConfig): void {
  if (field === undefined || requirePriced === undefined || unpriced === undefined) return;
  if (requirePriced === (unpriced === 'refuse')) return;
  report(
    field,
    `${requirePriced} contradicts unpriced: ${unpriced}; remove requirePriced, the older word for unpriced: refuse`,
  );
}

/**
 * Two apps on one project could not be told apart on the platform's bill, and one on the default
 * project not from any other use of it.
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
