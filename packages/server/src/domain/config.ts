import type { KeyRing } from '../lib/key-ring.ts';
import type { RetryPolicy } from '../lib/retry.ts';
import type { AppConfig } from './app.ts';
import type { BudgetConfig } from './budget.ts';
import type { ConsoleConfig } from './console.ts';
import type { IngressConfig } from './ingress.ts';
import type { Limits } from './limits.ts';
import type { AdminListen, Listen } from './listen.ts';
import type { AliasConfig, ModelConfig } from './model.ts';
import type { HookConfig } from './notify.ts';
import type { Plans } from './plan.ts';
import type { PlatformConfig } from './platform.ts';
import type { StoreTarget } from './store-target.ts';
import type { TracingConfig } from './tracing.ts';
import type { UnpricedPolicy } from './unpriced-policy.ts';

/** The configuration after reading, checking and merging with its defaults. */
export interface Config {
  /** The file that it was read from, absolute. */
  readonly file: string;
  readonly company: string;
  /** A key issued to this address has the role admin; undefined when no key has. */
  readonly adminEmail: string | undefined;
  /** Where callers find the service, for people to paste; `listen` where it is not said. */
  readonly publicUrl?: string;
  readonly listen: Listen;
  /** The second listener: metrics, readiness, the API's description. Never public. */
  readonly admin: AdminListen;
  /** The pages for people, on the second listener. */
  readonly console: ConsoleConfig;
  /** Addresses and networks of proxies in front, which say for which address they ask. */
  readonly trustedProxies?: readonly string[];
  readonly store: StoreTarget;
  /** The operator's secrets; without them a SQLite store has a ring of its own beside it. */
  readonly keyRing?: KeyRing;
  /** For how many days records of calls are kept; absent, `days prune` alone deletes them. */
  readonly usage?: { readonly retentionDays?: number };
  /** When the service audits its own books; absent, it does not. */
  readonly audit?: { readonly dailyAtMs: number };
  /** Where spans of requests go; absent, none are recorded. */
  readonly tracing?: TracingConfig;
  /** How many threads of the process answer requests. */
  readonly threads: number;
  readonly limits: Limits;
  /** Whether answers are told as they come, unless an app says otherwise. */
  readonly streaming: boolean;
  /** Which other APIs are spoken, and how. */
  readonly ingress: IngressConfig;
  readonly retry: RetryPolicy;
  readonly platforms: readonly PlatformConfig[];
  /** Where a model that is not in the catalog goes: the name of a platform. */
  readonly defaultPlatform: string;
  readonly plans: Plans;
  /** What happens to calls of models without a price, unless their app says otherwise. */
  readonly unpriced: UnpricedPolicy;
  /** Whether the log may have what platforms say in errors, which may quote prompts. */
  readonly logPlatformErrors: boolean;
  readonly models: readonly ModelConfig[];
  /** The entries of `models` that are names for others. */
  readonly aliases: readonly AliasConfig[];
  readonly apps: readonly AppConfig[];
  /** What apps may spend together. */
  readonly budgets: readonly BudgetConfig[];
  /** Who is told what operators should know. */
  readonly notify: readonly HookConfig[];
  /**
   * Equal on two replicas exactly when their configurations mean the same, apart from secrets and
   * from what each process may have of its own: `listen`, `admin`, `store`, `threads` and
   * the place of the file.
   */
  readonly hash: string;
}
