import type { Command } from 'commander';
import { credits } from '../config/amounts.ts';
import type { Field } from '../config/field.ts';
import { count, positiveNumber } from '../config/scalars.ts';
import { tags } from '../config/tags.ts';
import {
  type AppSettings,
  appSettings,
  type Setting,
  type SettingKinds,
  type SettingsAs,
  settingKeys,
} from '../domain/app.ts';
import type { CreditsConfig } from '../domain/credits.ts';
import { type UnpricedPolicy, unpricedPolicies } from '../domain/unpriced-policy.ts';
import { orNearest } from '../lib/nearest.ts';
import type { AppDocument } from '../operations/apps/app-document.ts';
import type { ChangeOptions } from './change-options.ts';
import { UsageError } from './context.ts';
import { readField, readModelsOrNone, readUsdOrNone, readValue, scalarOf } from './values.ts';

/** The options of `apps create` and `apps update`; those of settings have their names. */
export interface AppOptions
  extends ChangeOptions,
    Partial<SettingsAs<Record<keyof SettingKinds, string>>> {
  readonly monthlyCredits?: string;
  readonly usdPerCredit?: string;
  readonly requirePriced?: boolean;
  readonly tag?: readonly string[];
}

/** How an option says a kind of setting. */
interface OptionForm<Value> {
  /** What stands for its value, and what ends the sentence about it. */
  readonly help: readonly [value: string, end: string];
  /** Reads what the option says, and throws a UsageError. */
  readonly read: (option: string, text: string) => Value;
}

const policies = new Map<string, UnpricedPolicy | undefined>([
  ...unpricedPolicies.map((policy) => [policy, policy] as const),
  ['default', undefined],
]);

/** No option sets a kind that has no form here; those of credits are two. */
const forms: { readonly [Kind in keyof SettingKinds]?: OptionForm<SettingKinds[Kind]> } = {
  flag: oneOfWords(
    '<which>',
    new Map([
      ['on', true],
      ['off', false],
    ]),
  ),
  optionalFlag: oneOfWords(
    '<which>',
    new Map([
      ['on', true],
      ['off', false],
      ['default', undefined],
    ]),
  ),
  count: {
    help: ['<number>', ''],
    read: (option, text) => readValue(option, text, count(1)),
  },
  rate: {
    help: ['<number>', '; none for no limit'],
    read: (option, text) => (text === 'none' ? undefined : readValue(option, text, positiveNumber)),
  },
  optionalCount: {
    help: ['<number>', '; default for what the configuration says'],
    read: (option, text) => (text === 'default' ? undefined : readValue(option, text, count(1))),
  },
  unpriced: oneOfWords('<policy>', policies),
  budget: { help: ['<amount>', '; none for no budget'], read: readUsdOrNone },
  models: { help: ['<ids>', ', such as a,b; none for all of them'], read: readModelsOrNone },
};

function oneOfWords<Value>(value: string, words: ReadonlyMap<string, Value>): OptionForm<Value> {
  const known = [...words.keys()];
  return {
    help: [value, `: ${known.join(', ')}`],
    read(option, text) {
      const found = [...words].find(([word]) => word === text);
      if (found !== undefined) return found[1];
      throw new UsageError(`${option}: "${text}" is none of ${orNearest(text, known)}`);
    },
  };
}

/** `--a-name` of a setting that is called `aName`. */
function optionOf({ name }: Setting): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Adds the options that set something on an app. */
export function withAppOptions(command: Command): Command {
  for (const key of settingKeys) {
    const setting: Setting = appSettings[key];
    if (setting.option === undefined) continue;
    const form = forms[setting.kind];
    if (form === undefined) {
      command
        .option('--monthly-credits <credits>', `${setting.option}; none to meter no credits`)
        .option('--usd-per-credit <amount>', 'the worth of a credit, such as 0.01');
    } else {
      const [value, end] = form.help;
      command.option(`${optionOf(setting)} ${value}`, `${setting.option}${end}`);
    }
  }
  return command
    .option(
      '--tag <name=value>',
      'a tag for reports; may be repeated; nothing behind = for none',
      list,
    )
    .option('--require-priced', 'the older word for --unpriced refuse')
    .option('--no-require-priced', 'the older word for --unpriced default');
}

/** The settings that the options name, and no others; credits are read by {@link readCredits}. */
export function readSettings(options: AppOptions): Partial<AppSettings>;
export function readSettings(options: AppOptions): object {
  const texts = { ...options, unpriced: unpricedText(options) };
  const named = settingKeys.flatMap((key) => {
    const setting = appSettings[key];
    const text = texts[setting.name];
    const read = forms[setting.kind]?.read;
    if (text === undefined || read === undefined) return [];
    return [[key, read(optionOf(setting), text)] as const];
  });
  return Object.fromEntries(named);
}

/** What `--unpriced` says, or its older word. */
function unpricedText({ unpriced, requirePriced }: AppOptions): string | undefined {
  if (requirePriced === undefined) return unpriced;
  if (unpriced === undefined) return requirePriced ? 'refuse' : 'default';
  if (requirePriced === (unpriced === 'refuse') || !policies.has(unpriced)) return unpriced;
  const older = requirePriced ? '--require-priced' : '--no-require-priced';
  throw new UsageError(`--unpriced ${unpriced} contradicts ${older}; drop the older word`);
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

/** Reads the tags that the options name; an app keeps those that they do not. */
export function readTags(
  { tag: named = [] }: AppOptions,
  current: AppSettings['tags'],
): Pick<Partial<AppSettings>, 'tags'> {
  if (named.length === 0) return {};
  const entries = new Map(Object.entries(current).map(([name, text]) => [name, scalarOf(text)]));
  for (const pair of named) {
    const at = pair.indexOf('=');
    if (at < 1) {
      throw new UsageError(
        `--tag: ${JSON.stringify(pair)} is no tag; write one such as --tag cost-centre=4711`,
      );
    }
    const name = pair.slice(0, at);
    if (at === pair.length - 1) entries.delete(name);
    else entries.set(name, scalarOf(pair.slice(at + 1)));
  }
  const field: Field = { path: '--tag', tree: { kind: 'table', entries }, problems: [] };
  return { tags: readField(field, tags) };
}

function list(one: string, before: readonly string[] = []): readonly string[] {
  return [...before, one];
}
