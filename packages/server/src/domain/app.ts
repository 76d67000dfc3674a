import type { CreditsConfig } from './credits.ts';
import type { Plans } from './plan.ts';
import type { UnpricedPolicy } from './unpriced-policy.ts';

// The one description of every setting of an app. From it come its configuration key, check and
// JSON Schema, its option and output in `apps create` and `apps update`. So do the comparison of
// file and store, and the stored columns. A new setting of an existing kind needs an entry here, a
// column in `store/schema/service-tables.ts`, a migration, and documents.

export interface SettingKinds {
  readonly flag: boolean;
  /** Undefined: the configuration's value. */
  readonly optionalFlag: boolean | undefined;
  /** An integer from 1. */
  readonly count: number;
  /** An integer from 1; undefined: the configuration's value. */
  readonly optionalCount: number | undefined;
  /** Above 0, such as 0.5; undefined for no limit. */
  readonly rate: number | undefined;
  readonly unpriced: UnpricedPolicy | undefined;
  /** Pico-USD per UTC day; undefined for no budget. */
  readonly budget: bigint | undefined;
  /** Undefined: every model. */
  readonly models: readonly string[] | undefined;
  readonly credits: CreditsConfig | undefined;
  /** Undefined: a name from company and app. */
  readonly project: string | undefined;
  readonly plans: Partial<Plans>;
  readonly tags: Readonly<Record<string, string>>;
}

interface SettingOf<Kind extends keyof SettingKinds> {
  readonly kind: Kind;
  /** Used in the file, documents and messages; `aName` is the option `--a-name`. */
  readonly name: string;
  readonly about: string;
  readonly option?: string;
  /** The line's label in the output for one app; without it the line is absent. */
  readonly label?: string;
  readonly initial: SettingKinds[Kind];
}

export type Setting = { [Kind in keyof SettingKinds]: SettingOf<Kind> }[keyof SettingKinds];

/** In the order of reading and display. */
export const appSettings = {
  enabled: {
    kind: 'flag',
    name: 'enabled',
    about: 'false: reject all calls of the app',
    label: 'enabled',
    initial: true,
  },
  dailyBudgetPicoUsd: {
    kind: 'budget',
    name: 'dailyBudgetUsd',
    about: 'Budget per UTC day; default: none',
    option: 'maximum spending in a UTC day',
    label: 'daily budget',
    initial: undefined,
  },
  monthlyBudgetPicoUsd: {
    kind: 'budget',
    name: 'monthlyBudgetUsd',
    about: 'Budget per UTC month; default: none',
    option: 'maximum spending in a UTC month',
    label: 'monthly budget',
    initial: undefined,
  },
  perUserDailyPicoUsd: {
    kind: 'budget',
    name: 'perUserDailyUsd',
    about: 'Budget per user and UTC day; every call must then name its user',
    option: 'maximum spending for one user in a UTC day',
    label: 'budget per user',
    initial: undefined,
  },
  models: {
    kind: 'models',
    name: 'models',
    about: 'Allowed models; default: all models',
    option: 'allowed models',
    label: 'models',
    initial: undefined,
  },
  credits: {
    kind: 'credits',
    name: 'credits',
    about: 'Wallets of its users; default: none',
    option: 'credits of each user in a month',
    label: 'credits',
    initial: undefined,
  },
  unpriced: {
    kind: 'unpriced',
    name: 'unpriced',
    about: 'How calls to models without a price are counted',
    option: 'models without a price',
    label: 'unpriced models',
    initial: undefined,
  },
  streaming: {
    kind: 'optionalFlag',
    name: 'streaming',
    about: 'Whether its calls can be streamed',
    option: 'streaming of responses',
    label: 'streaming',
    initial: undefined,
  },
  defaultMaxTokens: {
    kind: 'optionalCount',
    name: 'defaultMaxTokens',
    about: 'Output limit of a request to /openai or /anthropic that sets none',
    option: 'output limit of a compatible request that sets none',
    label: 'default output',
    initial: undefined,
  },
  storeAnswers: {
    kind: 'flag',
    name: 'storeAnswers',
    about: 'false: do not store responses for retries',
    initial: true,
  },
  adoptRetries: {
    kind: 'flag',
    name: 'adoptRetries',
    about:
      'true: a retry without an idempotency key gets the response that its first request did not wait for',
    option: 'retries without an idempotency key continue the call that they repeat',
    label: 'adopts retries',
    initial: false,
  },
  project: {
    kind: 'project',
    name: 'project',
    about: 'Its billing project; default: prod-<company>-core-<app>',
    label: 'project',
    initial: undefined,
  },
  plans: {
    kind: 'plans',
    name: 'plans',
    about: 'Rate limits of its keys; missing values are those of plans in the file',
    initial: {},
  },
  ratePerSecond: {
    kind: 'rate',
    name: 'ratePerSecond',
    about: 'Average requests per second of all its keys together; default: no limit',
    option: 'requests per second of all its keys together',
    label: 'rate limit',
    initial: undefined,
  },
  keysMax: {
    kind: 'count',
    name: 'keysMax',
    about: 'Maximum number of valid keys at the same time; default: 1000',
    option: 'maximum number of valid keys at the same time',
    label: 'maximum keys',
    initial: 1_000,
  },
  tags: {
    kind: 'tags',
    name: 'tags',
    about: 'Tags by which reports are split, such as a cost center',
    label: 'tags',
    initial: {},
  },
} as const satisfies Readonly<Record<string, Setting>>;

type Settings = typeof appSettings;

export type SettingKey = keyof Settings;

type KindOf<Key extends SettingKey> = Settings[Key]['kind'];

export type AppSettings = { readonly [Key in SettingKey]: SettingKinds[KindOf<Key>] };

export const settingKeys = Object.keys(appSettings).filter(
  (key): key is SettingKey => key in appSettings,
);

type FormsByKind = Readonly<Record<keyof SettingKinds, unknown>>;

/** By names in the file; `Forms` has the form of each kind. */
export type SettingsAs<Forms extends FormsByKind> = {
  readonly [Key in SettingKey as Settings[Key]['name']]: Forms[KindOf<Key>];
};

export type FormsOf<To extends FormsByKind, From extends FormsByKind = SettingKinds> = {
  readonly [Kind in keyof SettingKinds]: (value: From[Kind]) => To[Kind];
};

export function formOf<To extends FormsByKind, From extends FormsByKind, Key extends SettingKey>(
  forms: FormsOf<To, From>,
  key: Key,
  value: From[KindOf<Key>],
): To[KindOf<Key>] {
  return forms[kindOf(key)](value);
}

function kindOf<Key extends SettingKey>(key: Key): KindOf<Key>;
function kindOf(key: SettingKey): string {
  return appSettings[key].kind;
}

/** A missing key stays absent, since the file sets only the keys that it names. */
export interface AppConfig extends Partial<AppSettings> {
  readonly name: string;
  /** Deprecated alias: true means `unpriced: refuse`. */
  readonly requirePriced?: boolean;
  /** Ids by platform: created elsewhere, and bound at startup. */
  readonly projects?: Readonly<Record<string, string>>;
}
