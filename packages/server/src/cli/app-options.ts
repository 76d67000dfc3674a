import type { Command } from 'commander';
import type { AppDocument } from '../admin/app-document.ts';
import { credits } from '../config/amounts.ts';
import type { Field } from '../config/field.ts';
import type { AppSettings } from '../domain/app.ts';
import type { CreditsConfig } from '../domain/credits.ts';
import { type UnpricedPolicy, unpricedPolicies } from '../domain/unpriced-policy.ts';
import type { ChangeOptions } from './change-options.ts';
import { UsageError } from './context.ts';
import { readField, readModelsOrNone, readUsdOrNone, scalarOf } from './values.ts';

/** The options of `apps create` and `apps update`. */
export interface AppOptions extends ChangeOptions {
  readonly dailyBudgetUsd?: string;
  readonly models?: string;
  readonly monthlyCredits?: string;
  readonly usdPerCredit?: string;
  readonly requirePriced?: boolean;
  readonly unpriced?: string;
  readonly streaming?: string;
}

/** `default`: the app follows the configuration. */
const policyWords = [...unpricedPolicies, 'default'].join(', ');

/** `default` as well. */
const streamingWords = 'on, off, default';

/** Adds the options that set something on an app. */
export function withAppOptions(command: Command): Command {
  return command
    .option('--daily-budget-usd <amount>', 'the most it may spend in a UTC day; none for no budget')
    .option('--models <ids>', 'the models it may use, such as a,b; none for all of them')
    .option(
      '--monthly-credits <credits>',
      'credits of each user in a month; none to meter no credits',
    )
    .option('--usd-per-credit <amount>', 'the worth of a credit, such as 0.01')
    .option('--unpriced <policy>', `models without a price: ${policyWords}`)
    .option('--streaming <which>', `answers told as they come: ${streamingWords}`)
    .option('--require-priced', 'the older word for --unpriced refuse')
    .option('--no-require-priced', 'the older word for --unpriced default');
}

/** The settings that the options name, and no others; credits are read by {@link readCredits}. */
export function readSettings(options: AppOptions): Partial<AppSettings> {
  const { dailyBudgetUsd, models } = options;
  return {
    ...(dailyBudgetUsd !== undefined && {
      dailyBudgetPicoUsd: readUsdOrNone('--daily-budget-usd', dailyBudgetUsd),
    }),
    ...(models !== undefined && { models: readModelsOrNone('--models', models) }),
    ...readUnpriced(options),
    ...readStreaming(options),
  };
}

function readUnpriced({ unpriced, requirePriced }: AppOptions): Partial<AppSettings> {
  if (unpriced === undefined) {
    if (requirePriced === undefined) return {};
    return { unpriced: requirePriced ? 'refuse' : undefined };
  }
  const policy = unpricedPolicies.find((known): known is UnpricedPolicy => known === unpriced);
  if (policy === undefined && unpriced !== 'default') {
    throw new UsageError(`--unpriced: "${unpriced}" is none of ${policyWords}`);
  }
  if (requirePriced !== undefined && requirePriced !== (policy === 'refuse')) {
    const older = requirePriced ? '--require-priced' : '--no-require-priced';
    throw new UsageError(`--unpriced ${unpriced} contradicts ${older}; drop the older word`);
  }
  return { unpriced: policy };
}

function readStreaming({ streaming }: AppOptions): Partial<AppSettings> {
  if (streaming === undefined) return {};
  if (!/^(on|off|default)$/.test(streaming)) {
    throw new UsageError(`--streaming: "${streaming}" is none of ${streamingWords}`);
  }
  return { streaming: streaming === 'default' ? undefined : streaming === 'on' };
}

/** Reads what the options say of credits; what they leave open stays what the app has. */
export function readCredits(
  options: AppOptions,
  current: AppDocument['credits'],
): Pick<Partial<AppSettings>, 'credits'> {
  const { monthlyCredits, usdPerCredit } = options;
  if (monthlyCredits === undefined && usdPerCredit === undefined) return {};
  if (monthlyCredits === 'none') {
    if (usdPerCredit === undefined) return { credits: undefined };
    throw new UsageError('--usd-per-credit: means nothing with --monthly-credits none; drop one');
  }
  const grant = monthlyCredits ?? current?.monthlyGrant;
  const rate = usdPerCredit ?? current?.usdPerCredit;
  if (grant === undefined || rate === undefined) {
    throw new UsageError(
      'credits need both --monthly-credits and --usd-per-credit, such as --monthly-credits 1000 --usd-per-credit 0.01',
    );
  }
  return { credits: creditsOf(grant, rate) };
}

function creditsOf(monthlyGrant: string, usdPerCredit: string): CreditsConfig {
  const entries = new Map([
    ['monthlyGrant', scalarOf(monthlyGrant)],
    ['usdPerCredit', scalarOf(usdPerCredit)],
  ]);
  const field: Field = { path: '', tree: { kind: 'table', entries }, problems: [] };
  try {
    return readField(field, credits);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // The configuration's readers know the keys of the file; here they are options.
    const sentence = error.message
      .replace(/^monthlyGrant:/gm, '--monthly-credits:')
      .replace(/^usdPerCredit:/gm, '--usd-per-credit:');
    throw new UsageError(sentence);
  }
}
