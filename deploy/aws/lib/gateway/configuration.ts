import { mantle } from '../deployment/problems.ts';
import type { Deployment } from '../deployment/properties.ts';
import type { Times } from '../times.ts';

/** The service's ports in its task. */
export const ports = { calls: 8_787, admin: 8_788, store: 5_432 } as const;

/** The database and its user. */
export const database = { name: 'gateway', user: 'gateway' } as const;

/** The one writable folder of the image's user, which also contains RDS' authority. */
export const dataFolder = '/var/lib/model-gateway';
export const authorityPath = `${dataFolder}/rds.pem`;

/** 64 MiB of bodies fit into Node's heap in a task of 2 GiB: docs/deploy.md. */
const bodyBytesInFlight = 67_108_864;

/** The name of an app's or a platform's variable. */
export function nameOfVariable(kind: string, name: string): string {
  return `${kind}_${name.replaceAll('-', '_')}`.toUpperCase();
}

/**
 * The whole configuration of the service. Ids, the database's address and secrets are variables of
 * the task. Without them the text can be compared and loaded before there is an account.
 */
export function configurationText(deployment: Deployment, times: Times): string {
  const { company, region, network, streaming, gateway } = deployment;
  const { limits, ...rest } = gateway;
  const { stopDelayMs, stopMs, gatewayMs } = times;
  const configuration = {
    company,
    ...(deployment.front === 'alb' ? { publicUrl: `https://${deployment.host}` } : {}),
    listen: { host: '0.0.0.0', port: ports.calls },
    // No client outside of the task reaches it: operators forward this port to themselves.
    admin: { host: '127.0.0.1', port: ports.admin },
    trustedProxies: [network],
    store: storeUrl(deployment),
    ...rest,
    limits: {
      bodyBytesInFlight,
      ...limits,
      stopDelayMs,
      stopMs,
      ...(gatewayMs ? { gatewayMs } : {}),
    },
    streaming,
    platforms: {
      [mantle]: { kind: 'bedrock-mantle', region, apiKey: 'none' },
      ...Object.fromEntries(Object.entries(deployment.platforms).map(platformOf)),
    },
    defaultPlatform: gateway.defaultPlatform ?? mantle,
    apps: deployment.apps.map(appOf),
  };
  return JSON.stringify(configuration, undefined, 1);
}

function storeUrl({ store }: Deployment): string {
  if (store === 'external') return variable('DATABASE_URL');
  const password = variable('DATABASE_PASSWORD');
  const place = `${variable('DATABASE_HOST')}:${ports.store}/${database.name}`;
  return `postgres://${database.user}:${password}@${place}?sslmode=verify-full&sslrootcert=${authorityPath}`;
}

/** A placeholder that the service replaces by a variable of its environment. */
function variable(name: string): string {
  return `\${${name}}`;
}

function platformOf([name, platform]: [string, Deployment['platforms'][string]]) {
  const { apiKeySecretArn, ...rest } = platform;
  const key = apiKeySecretArn && { apiKey: variable(nameOfVariable('PLATFORM', name)) };
  return [name, { ...rest, ...key }] as const;
}

function appOf({ project, ...app }: Deployment['apps'][number]) {
  if (project === 'none') return app;
  const id = project === 'own' ? variable(nameOfVariable('PROJECT', app.name)) : project;
  return { ...app, projects: { [mantle]: id } };
}
