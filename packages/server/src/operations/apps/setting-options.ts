import { type NamedSettings, readAppSettings } from '../../config/app-settings.ts';
import {
  type AppSettings,
  appSettings,
  type Setting,
  type SettingKinds,
  settingKeys,
} from '../../domain/app.ts';
import type { Plans } from '../../domain/plan.ts';
import { unpricedWordList, unpricedWords } from '../../domain/unpriced-policy.ts';
import type { SchemaFacts } from '../../lib/sentences.ts';
import { badValue } from '../context/admin-error.ts';
import {
  asOption,
  count,
  type Field,
  type Fields,
  field,
  flag,
  matching,
  modelIds,
  oneOf,
  optional,
  orNone,
  repeated,
  usd,
} from '../description/field.ts';
import { InputError } from '../description/read-input.ts';
import { forms, lineForm } from '../documents/forms.ts';
import type { AppDocument } from './app-document.ts';

const orNull = (schema: SchemaFacts): SchemaFacts => ({ anyOf: [schema, { type: 'null' }] });
const fieldsOf = (properties: Readonly<Record<string, SchemaFacts>>): SchemaFacts => {
  return { type: 'object', properties, additionalProperties: false };
};
const countForm = { type: 'integer', minimum: 1 };
const plan = {
  type: 'object',
  required: ['ratePerSecond', 'burst', 'requestsPerDay'],
  properties: {
    ratePerSecond: { type: 'number' },
    burst: { type: 'number' },
    requestsPerDay: { type: 'number' },
  },
};

const schemas: Readonly<Record<keyof SettingKinds, SchemaFacts>> = {
  flag: { type: 'boolean' },
  optionalFlag: orNull({ type: 'boolean' }),
  count: countForm,
  optionalCount: orNull(countForm),
  rate: orNull({ type: 'number', exclusiveMinimum: 0 }),
  unpriced: orNull({ enum: unpricedWordList }),
  budget: orNull(forms.amount),
  models: orNull({ type: 'array', items: forms.model, maxItems: 1_000, uniqueItems: true }),
  credits: orNull(fieldsOf({ monthlyGrant: forms.amount, usdPerCredit: forms.amount })),
  project: orNull(lineForm(128)),
  plans: fieldsOf({ user: plan, admin: plan }),
  tags: { type: 'object', additionalProperties: { type: 'string' } },
};

const settingSchemas = settingKeys.map((key) => {
  const { kind, name, about } = appSettings[key];
  return [name, { ...schemas[kind], description: about }] as const;
});

/** Only named settings. Null: none, or the configuration's value. */
export const settings: Field<NamedSettings> = field(fieldsOf(Object.fromEntries(settingSchemas)), {
  about: "settings to change; null removes a setting, or restores the configuration's value",
  ...{ placeholder: 'settings', decode: Object },
});

export const tag = optional(
  repeated(
    matching(/^[^=]+=.*$/, {
      rule: 'a tag such as cost-centre=4711',
      about: 'report tag; repeatable; an empty value removes the tag',
      placeholder: 'name=value',
    }),
  ),
);

const words: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  flag: { on: true, off: false },
  optionalFlag: { on: true, off: false, default: null },
  unpriced: { ...unpricedWords, default: null },
};

const decimal = (about: string) =>
  field(forms.amount, { about, placeholder: 'amount', decode: String });

/** Undefined where a setting has no option, or two. */
function optionOf({ kind, option: about = '' }: Setting): Field<unknown> | undefined {
  const known = Object.keys(words[kind] ?? {});
  switch (kind) {
    case 'flag':
    case 'optionalFlag':
    case 'unpriced':
      return oneOf(
        known,
        `${about}: ${known.join(', ')}`,
        kind === 'unpriced' ? 'policy' : 'which',
      );
    case 'count':
      return { ...count(1_000_000_000, about), placeholder: 'number' };
    case 'optionalCount': {
      const { fromText, ...one } = orNone(
        count(1_000_000_000, `${about}; default restores the configuration's value`),
      );
      const read = (text: string, nowMs: number) =>
        text === 'default' ? null : text === 'none' ? text : fromText(text, nowMs);
      return { ...one, placeholder: 'number', fromText: read };
    }
    case 'rate':
      return orNone(
        field(
          { type: 'number' },
          {
            ...{ about: `${about}; none removes the limit`, placeholder: 'number', decode: Number },
            fromText: (text) => (/^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : text),
          },
        ),
      );
    case 'budget':
      return orNone(usd(`${about}; none removes it`));
    case 'models':
      return orNone(modelIds(`${about}, for example a,b; none allows all models`));
    default:
      return undefined;
  }
}

const ofSettings = settingKeys.flatMap((key) => {
  const setting: Setting = appSettings[key];
  const one = setting.option === undefined ? undefined : optionOf(setting);
  return one === undefined ? [] : [[setting.name, optional(one)] as const];
});

export const settingOptions: Fields = {
  ...Object.fromEntries(ofSettings),
  monthlyGrant: asOption(
    'monthly-credits',
    optional(orNone(decimal(`${appSettings.credits.option}; none turns credits off`))),
  ),
  usdPerCredit: optional(decimal('value of one credit in USD, for example 0.01')),
  tags: asOption('tag', tag),
  requirePriced: {
    ...flag('deprecated: use --unpriced refuse'),
    negated: 'deprecated: use --unpriced default',
  },
};

/** Throws an InputError. */
export function settingsFromOptions(given: Readonly<Record<string, unknown>>) {
  const { requirePriced, monthlyGrant, usdPerCredit, tags, ...same } = given;
  const unpriced = unpricedOf(same.unpriced, requirePriced);
  const texts = { ...same, ...(unpriced !== undefined && { unpriced }) };
  const named = settingKeys.flatMap((key): readonly (readonly [string, unknown])[] => {
    const { kind, name } = appSettings[key];
    const value = Reflect.get(texts, name);
    const known = words[kind];
    return value === undefined ? [] : [[name, known ? known[String(value)] : value]];
  });
  if (monthlyGrant === null && usdPerCredit !== undefined)
    throw new InputError(
      'usdPerCredit',
      'cannot be combined with --monthly-credits none; remove one',
    );
  const parts = Object.entries({ monthlyGrant, usdPerCredit }).filter(
    ([, text]) => text !== undefined,
  );
  const credits = monthlyGrant === null ? null : Object.fromEntries(parts);
  return {
    settings: { ...Object.fromEntries(named), ...(parts.length > 0 && { credits }) },
    ...(tags !== undefined && { tag: tags }),
  };
}

function unpricedOf(unpriced: unknown, requirePriced: unknown): unknown {
  if (requirePriced === undefined) return unpriced;
  if (unpriced === undefined) return requirePriced === true ? 'refuse' : 'default';
  if (requirePriced === (unpriced === 'refuse')) return unpriced;
  const older = requirePriced === true ? '--require-priced' : '--no-require-priced';
  throw new InputError('unpriced', `conflicts with ${older}; remove ${older}`);
}

/**
 * Applies the file's rules. Omitted credits and tags keep the app's values. Throws an AdminError.
 */
export function readSettings(
  plans: Plans,
  { settings: named = {}, tag: pairs }: SettingsInput,
  current: Pick<AppDocument, 'credits' | 'tags'>,
): Partial<AppSettings> {
  const credits = named.credits && { ...current.credits, ...Object(named.credits) };
  if (credits && Object.keys(credits).length < 2)
    throw badValue(
      'settings.credits',
      'credits require both a monthly grant and the value of a credit',
    );
  const tags = pairs && tagsOf({ ...current.tags, ...Object(named.tags) }, pairs);
  const all = { ...named, ...(credits && { credits }), ...(tags && { tags }) };
  const read = readAppSettings('settings', all, plans);
  if ('settings' in read) return read.settings;
  const [problem = ''] = read.problems;
  const at = problem.indexOf(': ');
  throw badValue(problem.slice(0, at), problem.slice(at + 2));
}

interface SettingsInput {
  readonly settings?: NamedSettings | undefined;
  readonly tag: readonly string[] | undefined;
}

function tagsOf(before: Readonly<Record<string, unknown>>, pairs: readonly string[]) {
  const tags = new Map(Object.entries(before));
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === '') tags.delete(name);
    else tags.set(name, value);
  }
  return Object.fromEntries(tags);
}
