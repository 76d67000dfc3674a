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

interface PartFactory {
  readonly of: readonly Part[];
  create(context: CommandContext, config: Config, options: PartOptions): unknown;
}

/** Only a service has the other parts. */
const factories: Partial<Readonly<Record<keyof OperatingParts, PartFactory>>> = {
  fileApps: { of: ['apps'], create: (_context, { apps }) => apps },
  budgets: { of: ['budgets'], create: (_context, { budgets }) => budgets },
  store: { of: [], create: (_context, { store }) => store },
  plans: { of: [], create: () => defaultPlans },
  catalog: { of: ['catalog'], create: (context, { catalog }) => catalogOf(context, catalog) },
  platformFacts: { of: ['catalog'], create: (_context, { catalog }) => catalog.platforms },
  platformNames: { of: ['platformNames'], create: (_context, config) => config.platformNames },
  hooks: { of: ['hooks'], create: (_context, { hooks }) => hooks },
  notify: { of: ['notify'], create: (_context, { notify }) => notify },
  login: { of: ['login'], create: (_context, { login }) => login },
  withPlatforms: { of: ['platforms'], create: withPlatforms },
  withBillingPlatforms: {
    of: ['platforms'],
    create(context, { platforms, ...config }) {
      const billing = platforms.filter(({ kind }) => factsOf(kind).projects !== 'none');
      return withPlatforms(context, { ...config, platforms: billing });
    },
  },
  withCheckedPlatforms: { of: ['platforms', 'catalog'], create: withCheckedPlatforms },
  unboundApps: { of: ['catalog', 'apps'], create: unboundApps },
  files: { of: [], create: filesOf },
  configFiles: {
    of: [],
    async create(context, _config, options) {
      return (await import('./config-files.ts')).configFiles(context, options);
    },
  },
  withInvoices: { of: [], create: withInvoices },
};

export function configPartsOf(needs: readonly (keyof OperatingParts)[]): readonly Part[] {
  return [...new Set(needs.flatMap((need) => factories[need]?.of ?? []))];
}

interface PartsRequest {
  readonly config: Config;
  readonly options: PartOptions;
  readonly needs: readonly (keyof OperatingParts)[];
}

export async function operatingParts(
  context: CommandContext,
  request: PartsRequest,
): Promise<OperatingParts>;
export async function operatingParts(
  context: CommandContext,
  { config, options, needs }: PartsRequest,
): Promise<object> {
  const entries = needs.map(async (need) => {
    return [need, await factories[need]?.create(context, config, options)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function withPlatforms(context: CommandContext, config: Config): OperatingParts['withPlatforms'] {
  return async (work) => {
    const platforms = await import('./process/platforms.ts');
    return platforms.withPlatforms(context, config, (byName) => work([...byName.values()]));
  };
}

function withCheckedPlatforms(
  context: CommandContext,
  { catalog: { models }, ...config }: Config,
): OperatingParts['withCheckedPlatforms'] {
  return async (work) => {
    const { checkedPlatforms } = await import('../observe/platform-watch.ts');
    const platforms = await import('./process/platforms.ts');
    return platforms.withPlatforms(context, config, (byName) =>
      work(checkedPlatforms({ ...config, models }, byName, context.clock.now())),
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
