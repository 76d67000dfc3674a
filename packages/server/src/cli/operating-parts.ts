import { defaultPlans } from '../config/limits.ts';
import type { Part, PartConfig } from '../config/parts.ts';
import type { OperatingParts } from '../operations/parts.ts';
import { catalogOf } from './catalog.ts';
import type { CommandContext } from './context.ts';

type Config = PartConfig<Part>;

/** How a command makes a part, and which parts of the configuration it needs for that. */
interface Maker {
  readonly of: readonly Part[];
  make(context: CommandContext, config: Config): unknown;
}

/** A service alone has the others. */
const makers: Partial<Readonly<Record<keyof OperatingParts, Maker>>> = {
  fileApps: { of: ['apps'], make: (_context, { apps }) => apps },
  budgets: { of: ['budgets'], make: (_context, { budgets }) => budgets },
  plans: { of: [], make: () => defaultPlans },
  catalog: { of: ['catalog'], make: (context, { catalog }) => catalogOf(context, catalog) },
  platformFacts: { of: ['catalog'], make: (_context, { catalog }) => catalog.platforms },
  platformNames: { of: ['platformNames'], make: (_context, config) => config.platformNames },
  hooks: { of: ['hooks'], make: (_context, { hooks }) => hooks },
  notify: { of: ['notify'], make: (_context, { notify }) => notify },
  login: { of: ['login'], make: (_context, { login }) => login },
  withPlatforms: { of: ['platforms'], make: withPlatforms },
  withInvoices: { of: [], make: withInvoices },
};

/** The parts of the configuration that parts of an operation are made of. */
export function configPartsOf(needs: readonly (keyof OperatingParts)[]): readonly Part[] {
  return [...new Set(needs.flatMap((need) => makers[need]?.of ?? []))];
}

/** The parts that an operation needs, and no other. */
export async function operatingParts(
  context: CommandContext,
  config: Config,
  needs: readonly (keyof OperatingParts)[],
): Promise<OperatingParts>;
export async function operatingParts(
  context: CommandContext,
  config: Config,
  needs: readonly (keyof OperatingParts)[],
): Promise<object> {
  const made = needs.map(async (need) => [need, await makers[need]?.make(context, config)]);
  return Object.fromEntries(await Promise.all(made));
}

function withPlatforms(context: CommandContext, config: Config): OperatingParts['withPlatforms'] {
  return async (work) => {
    const platforms = await import('./platforms.ts');
    return platforms.withPlatforms(context, config, (made) => work([...made.values()]));
  };
}

function withInvoices(): OperatingParts['withInvoices'] {
  return async (work) => {
    const { readInvoice } = await import('../invoices/read-invoice.ts');
    return work(readInvoice);
  };
}
