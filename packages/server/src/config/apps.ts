import type { AppConfig } from '../domain/app.ts';
import type { Plans } from '../domain/plan.ts';
import { unpricedPolicies } from '../domain/unpriced-policy.ts';
import { credits, usd } from './amounts.ts';
import { type Field, openTable, readList, report } from './field.ts';
import { readSomePlans } from './limits.ts';
import { modelId } from './models.ts';
import { present } from './present.ts';
import { oneOf, textLike, unique, yesOrNo } from './scalars.ts';

const appKeys = [
  'name',
  'enabled',
  'dailyBudgetUsd',
  'models',
  'credits',
  'requirePriced',
  'unpriced',
  'storeAnswers',
  'project',
  'plans',
] as const;

/** A name that fits a key's name and a billing project's. */
const appName = textLike(
  /^[a-z][a-z0-9-]{0,62}$/,
  'no name for an app; use a-z, 0-9 and "-", a letter first, at most 63 characters',
);

const projectName = textLike(/^[\w.:/ -]{1,128}$/, 'no name for a project');

/** Reads `apps`. An app's plan takes what it does not name from the plans of the file. */
export function readApps(
  field: Field,
  parts: { readonly company: string; readonly plans: Plans },
): readonly AppConfig[] {
  const newName = unique(appName);
  const projects = createProjects(parts.company);
  return readList(field, (item) => {
    const table = openTable(item, appKeys);
    const name = table.require('name', newName);
    const app = present({
      name: name ?? '',
      enabled: table.read('enabled', yesOrNo),
      dailyBudgetPicoUsd: table.read('dailyBudgetUsd', usd),
      models: table.read('models', (models) => readList(models, unique(modelId))),
      credits: table.read('credits', credits),
      requirePriced: table.read('requirePriced', yesOrNo),
      unpriced: table.read('unpriced', oneOf(unpricedPolicies)),
      storeAnswers: table.read('storeAnswers', yesOrNo),
      project: table.read('project', projectName),
      plans: table.read('plans', (plans) => readSomePlans(plans, parts.plans)),
    });
    checkUnpriced(table.field('requirePriced'), app);
    projects.claim(table.field('project') ?? item, app);
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
 * project not from anybody.
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
