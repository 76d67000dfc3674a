import type { BudgetConfig } from '../../domain/budget.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { selectApps } from '../../store/queries/registry.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';

type Apps = BudgetConfig['apps'];

/** A budget over a misspelled app limits nothing, and the intended app has no budget. */
export function unknownApps(apps: Apps, known: readonly string[]): readonly string[] {
  if (apps === 'all') return [];
  return apps
    .filter((app) => !known.includes(app))
    .map((app) => {
      const cure = didYouMean(app, known) || 'run "apps list"';
      return `the app "${app}" does not exist; ${cure}`;
    });
}

/** Returns one line per problem. Reads the store only where the file lacks an app. */
export async function budgetAppProblems(
  { apps, budgets }: { readonly apps: readonly { name: string }[]; readonly budgets: Budgets },
  storedApps: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const declared = apps.map(({ name }) => name);
  const problemsOf = (known: readonly string[]) =>
    budgets.flatMap((budget, index) =>
      unknownApps(budget.apps, known).map((problem) => `budgets[${index}].apps: ${problem}`),
    );
  if (problemsOf(declared).length === 0) return [];
  return problemsOf([...declared, ...(await storedApps())]);
}

type Budgets = readonly Pick<BudgetConfig, 'apps'>[];

export async function storedApps({
  store,
  company,
}: Pick<AdminContext, 'store' | 'company'>): Promise<readonly string[]> {
  return (await store.read(selectApps(company))).map(({ name }) => name);
}

/** Throws an AdminError for a budget of the file over an unknown app. */
export async function checkBudgetApps(
  context: Pick<AdminContext, 'store' | 'company'>,
  file: Parameters<typeof budgetAppProblems>[0],
): Promise<void> {
  const problems = await budgetAppProblems(file, () => storedApps(context));
  if (problems.length > 0) throw new AdminError(problems.join('\n'));
}
