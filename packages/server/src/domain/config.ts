import type { KeyRing } from '../lib/key-ring.ts';
import type { RetryPolicy } from '../lib/retry.ts';
import type { AppConfig } from './app.ts';
import type { BudgetConfig } from './budget.ts';
import type { ConsoleConfig } from './console.ts';
import type { IngressConfig } from './ingress.ts';
import type { Limits } from './limits.ts';
import type { AdminListenAddress, ListenAddress } from './listen.ts';
import type { AliasConfig, ModelConfig } from './model.ts';
import type { WebhookConfig } from './notify.ts';
import type { Plans } from './plan.ts';
import type { PlatformConfig } from './platform.ts';
import type { StoreTarget } from './store-target.ts';
import type { TracingConfig } from './tracing.ts';
import type { UnpricedPolicy } from './unpriced-policy.ts';

export interface Config {
  /** Absolute path. */
  readonly file: string;
  readonly company: string;
  /** A key issued to it has the role admin. */
  readonly adminEmail: string | undefined;
  readonly publicUrl?: string;
  readonly listen: ListenAddress;
  /** Metrics, readiness, the API's description. Never public. */
  readonly admin: AdminListenAddress;
  readonly console: ConsoleConfig;
  /** Addresses and networks of proxies in front that report the caller's address. */
  readonly trustedProxies?: readonly string[];
  readonly store: StoreTarget;
  /** The operator's secrets; without them, a SQLite store keeps a ring in a file next to it. */
  readonly keyRing?: KeyRing;
  /** For call records; if absent, only `days prune` deletes them. */
  readonly usage?: { readonly retentionDays?: number };
  /** If absent, the service does not audit its ledger. */
  readonly audit?: { readonly dailyAtMs: number };
  readonly tracing?: TracingConfig;
  readonly threads: number;
  readonly limits: Limits;
  readonly streaming: boolean;
  readonly ingress: IngressConfig;
  readonly retry: RetryPolicy;
  readonly platforms: readonly PlatformConfig[];
  /** A platform's name, for models outside the catalog. */
  readonly defaultPlatform: string;
  readonly plans: Plans;
  readonly unpriced: UnpricedPolicy;
  /** Platforms' error texts might quote prompts. */
  readonly logPlatformErrors: boolean;
  readonly models: readonly ModelConfig[];
  readonly aliases: readonly AliasConfig[];
  readonly apps: readonly AppConfig[];
  readonly budgets: readonly BudgetConfig[];
  readonly notify: readonly WebhookConfig[];
  /**
   * Equal on two replicas exactly if their configurations mean the same. Excludes secrets, the
   * file's path, and each process's own settings: `listen`, `admin`, `store`, `threads`.
   */
  readonly hash: string;
}
