import type { Config } from '../domain/config.ts';
import { parseNoProxy } from '../lib/no-proxy.ts';
import { type Proxies, type ProxyAddress, parseProxy } from '../lib/proxy-address.ts';
import type { IsNeeded } from './parts.ts';
import type { Variables } from './variables.ts';

type Sending = Pick<Config, 'platforms' | 'notify' | 'console' | 'tracing'>;

/**
 * Sets the environment's proxies on all parts that send requests. A command that sends none must
 * not fail on wrong proxies.
 */
export function withProxies<C extends Sending>(
  config: C,
  context: {
    readonly variables: Variables;
    readonly isNeeded: IsNeeded;
    readonly problems: string[];
  },
): C {
  const { variables, isNeeded, problems } = context;
  const { platforms, notify, console, tracing } = config;
  const isSending =
    isNeeded(['tracing']) ||
    platforms.some(({ name }) => isNeeded(['platforms', name, 'proxy'])) ||
    notify.some(({ name }) => isNeeded(['notify', name, 'url']));
  const proxies = isSending ? readProxies(variables, problems) : undefined;
  if (proxies === undefined) return config;
  const { oidc } = console;
  return {
    ...config,
    platforms: platforms.map((platform) => ({ ...platform, proxies })),
    notify: notify.map((webhook) => ({ ...webhook, proxies })),
    ...(oidc !== undefined && { console: { ...console, oidc: { ...oidc, proxies } } }),
    ...(tracing !== undefined && { tracing: { ...tracing, proxies } }),
  };
}

/** As in curl, the lower-case name takes precedence, and `ALL_PROXY` is the fallback. */
function readProxies(variables: Variables, problems: string[]): Proxies | undefined {
  const https = read('HTTPS_PROXY') ?? read('ALL_PROXY');
  const http = read('HTTP_PROXY') ?? read('ALL_PROXY');
  if (https === undefined && http === undefined) return undefined;
  const { text: noProxy, from } = find('NO_PROXY') ?? { text: '', from: '' };
  const isDirect = parseNoProxy(noProxy);
  if (typeof isDirect !== 'function') note(`${from}: ${isDirect.problem}`);
  return { ...(https && { https }), ...(http && { http }), noProxy };

  function read(name: string): ProxyAddress | undefined {
    const variable = find(name);
    if (variable === undefined) return undefined;
    const proxy = parseProxy(variable.text, variable.from);
    if (!('problem' in proxy)) return proxy;
    note(`${variable.from}: ${proxy.problem}`);
    return undefined;
  }

  function find(name: string) {
    for (const spelling of [name.toLowerCase(), name]) {
      const variable = variables(spelling);
      if (variable.text !== undefined) return variable;
      if (variable.isSet) note(variable.problem);
    }
    return undefined;
  }

  function note(problem: string) {
    if (!problems.includes(problem)) problems.push(problem);
  }
}
