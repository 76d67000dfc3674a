import type { PlatformKind } from '../domain/platform-kinds/platform-kinds.ts';
import type { ListedModels } from './model/list-models.ts';
import type { Platform } from './model/port.ts';
import { unusableCauses } from './model/unusable.ts';

/**
 * `unauthorized`: credential rejected (401). `forbidden`: rejected (403). `unpaid`: no money.
 * `unusable`: an unusable response. `no-list`: no list of models. `failing`: errors. `unreachable`:
 * no response. `not-asked`: no request could be sent.
 */
export type PlatformState =
  | 'works'
  | 'unauthorized'
  | 'forbidden'
  | 'unpaid'
  | 'unusable'
  | 'no-list'
  | 'failing'
  | 'unreachable'
  | 'not-asked';

export interface PlatformCheck {
  readonly platform: string;
  readonly kind: PlatformKind;
  readonly state: PlatformState;
  readonly status: number | null;
  readonly models: number | null;
  /** One line with the problem and its remedy; null when healthy. */
  readonly problem: string | null;
  /** The proxy; missing for direct calls. */
  readonly route?: string;
  readonly missing: readonly string[];
}

export interface CheckedPlatform {
  readonly platform: Platform;
  readonly baseUrl: string | undefined;
  readonly route?: string | undefined;
  readonly expectedModels: readonly { readonly id: string; readonly upstreamModel: string }[];
}

/** Listing models is free. Never throws; the signal limits its time. */
export async function checkPlatform(
  checked: CheckedPlatform,
  signal: AbortSignal,
): Promise<PlatformCheck> {
  const { platform, expectedModels, route } = checked;
  const { name, kind } = platform;
  const nothing = { status: null, models: null, problem: null, missing: [] };
  const base = { platform: name, kind, ...(route === undefined ? {} : { route }), ...nothing };
  if (platform.listModels === undefined) return { ...base, state: 'not-asked' };
  const listed = await platform.listModels(signal);
  if (listed.kind !== 'listed') return { ...base, ...failedCheck(checked, listed) };
  const known = new Set(listed.models);
  const missing = expectedModels.filter(({ upstreamModel }) => !known.has(upstreamModel));
  const ids = missing.map(({ id }) => id);
  return {
    ...base,
    ...{ state: 'works', status: 200, models: known.size, missing: ids },
    problem: ids.length === 0 ? null : notListed(name, ids),
  };
}

type FailedCheck = Pick<PlatformCheck, 'state' | 'status' | 'problem'>;

function failedCheck(
  { platform: { name }, baseUrl }: CheckedPlatform,
  listed: Exclude<ListedModels, { kind: 'listed' }>,
): FailedCheck {
  const where = baseUrl === undefined ? name : withoutSecrets(baseUrl);
  if (listed.kind === 'silent') {
    if (listed.isProxy)
      return { state: 'unreachable', status: null, problem: `${name}: ${listed.why}` };
    const problem = `no response from ${name} at ${where}: ${listed.why}; check its baseUrl and the network path`;
    return { state: 'unreachable', status: null, problem };
  }
  const { status, cause } = listed;
  if (cause !== undefined)
    return { state: 'unusable', status, problem: `${name}: ${unusableCauses[cause]}` };
  const state = stateOf(status);
  return { state, status, problem: problemOf(state, { name, where, status }) };
}

function stateOf(status: number): PlatformState {
  if (status === 401) return 'unauthorized';
  if (status === 402) return 'unpaid';
  if (status === 403) return 'forbidden';
  return status >= 500 || status === 429 ? 'failing' : 'no-list';
}

export function problemOf(
  state: PlatformState,
  { name, where, status }: { readonly name: string; where: string; readonly status: number },
): string | null {
  switch (state) {
    case 'unauthorized':
      return `${name} rejected the credential (401); check platforms.${name}.apiKey`;
    case 'forbidden':
      return `${name} accepted the credential but denied access (403); grant the permission on the platform`;
    case 'unpaid':
      return `${name} rejects calls because its account has no money (status ${status}); add credit, or raise its spending limit, on the platform`;
    case 'no-list':
      return `${where} returned no list of models for ${name} (status ${status}); check its baseUrl, which usually ends in /v1`;
    case 'failing':
      return `${name} responds with status ${status}; try again later`;
    default:
      return null;
  }
}

function notListed(name: string, ids: readonly string[]): string {
  const shown = ids.slice(0, 5).join(', ');
  const more = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
  return `${name} does not list ${shown}${more}; check upstreamModel of each in models, or enable it on the platform`;
}

/** Removes the user name and password. */
function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return 'its baseUrl';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname === '/' ? '' : pathname}`;
}
