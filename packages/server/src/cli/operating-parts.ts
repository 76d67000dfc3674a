import { defaultPlans } from '../config/limits.ts';
import type { Part, PartConfig } from '../config/parts.ts';
import { factsOf } from '../domain/platform-kinds/platform-kinds.ts';
import type { OperatingParts } from '../operations/context/parts.ts';
import type { CommandContext, CommonOptions } from './process/context.ts';
import { catalogOf } from './process/platforms.ts';

type Config = PartConfig<Part>;

interface PartOptions extends CommonOptions {
  readonly file?: readonly string[];
}

interface Maker {
  readonly of: readonly Part[];
  make(context: CommandContext, config: Config, options: PartOptions): unknown;
}

/** Only a service has the others. */
const makers: Partial<Readonly<Record<keyof OperatingParts, Maker>>> = {
  fileApps: { of: ['apps'], make: (_context, { apps }) => apps },
  budgets: { of: ['budgets'], make: (_context, { budgets }) => budgets },
  store: { of: [], make: (_context, { store }) => store },
  plans: { of: [], make: () => defaultPlans },
  catalog: { of: ['catalog'], make: (context, { catalog }) => catalogOf(context, catalog) },
  platformFacts: { of: ['catalog'], make: (_context, { catalog }) => catalog.platforms },
  platformNames: { of: ['platformNames'], make: (_context, config) => config.platformNames },
  hooks: { of: ['hooks'], make: (_context, { hooks }) => hooks },
  notify: { of: ['notify'], make: (_context, { notify }) => notify },
  login: { of: ['login'], make: (_context, { login }) => login },
  withPlatforms: { of: ['platforms'], make: withPlatforms },
  withBillingPlatforms: {
    of: ['platforms'],
    make(context, { platforms, ...config }) {
      const billing = platforms.filter(({ kind }) => factsOf(kind).projects !== 'none');
      return withPlatforms(context, { ...config, platforms: billing });
    },
  },
  withCheckedPlatforms: { of: ['platforms', 'catalog'], make: withCheckedPlatforms },
  unboundApps: { of: ['catalog', 'apps'], make: unboundApps },
  files: { of: [], make: filesOf },
  configFiles: {
    of: [],
    async make(context, _config, options) {
      return (await import('./config-files.ts')).configFiles(context, options);
    },
  },
  withInvoices: { of: [], make: withInvoices },
};

export function configPartsOf(needs: readonly (keyof OperatingParts)[]): readonly Part[] {
  return [...new Set(needs.flatMap((need) => makers[need]?.of ?? []))];
}

interface Given {
  readonly config: Config;
  readonly options: PartOptions;
  readonly needs: readonly (keyof OperatingParts)[];
}

export async function operatingParts(
  context: CommandContext,
  given: Given,
): Promise<OperatingParts>;
export async function operatingParts(
  context: CommandContext,
  { config, options, needs }: Given,
): Promise<object> {
  const made = needs.map(async (need) => {
    return [need, await makers[need]?.make(context, config, options)] as const;
  });
  return Object.fromEntries(await Promise.all(made));
}

function withPlatforms(context: CommandContext, config: Config): OperatingParts['withPlatforms'] {
  return async (work) => {
    const platforms = await import('./process/platforms.ts');
    return platforms.withPlatforms(context, config, (made) => work([...made.values()]));
  };
}

function withCheckedPlatforms(
  context: CommandContext,
  { catalog: { models }, ...config }: Config,
): OperatingParts['withCheckedPlatforms'] {
  return async (work) => {
    const { checkedPlatforms } = await import('../observe/platform-watch.ts');
    const platforms = await import('./process/platforms.ts');
    return platforms.withPlatforms(context, config, (made) =>
      work(checkedPlatforms({ ...config, models }, made, context.clock.now())),
    );
  };
}

function unboundApps(
  context: CommandContext,
  config: Config,
  options: CommonOptions,
): OperatingParts['unboundApps'] {
  return async () => {
    const { unboundLines } = await import('./config-files.ts');
    const catalog = await catalogOf(context, config.catalog);
    const { store, apps } = config;
    const { platforms } = config.catalog;
    return unboundLines(context, options, { config: { store, apps, platforms }, catalog });
  };
}

async function filesOf(_context: CommandContext, _config: Config, { file = [] }: PartOptions) {
  const { invoiceFiles } = await import('./invoice-files.ts');
  return invoiceFiles(file);
}

function withInvoices(): OperatingParts['withInvoices'] {
  return async (work) => {
    const { readInvoice } = await import('../invoices/read-invoice.ts');
    return work(readInvoice);
  };
}
