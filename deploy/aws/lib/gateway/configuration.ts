import { mantle } from '../deployment/problems.ts';
import type { Deployment } from '../deployment/properties.ts';
import type { Times } from '../times.ts';

/** Where the service listens in its task. */
export const ports = { calls: 8_787, admin: 8_788, store: 5_432 } as const;

/** The database, and who asks it. */
export const database = { name: 'gateway', user: 'gateway' } as const;

/** The one folder that the image lets its user write, and RDS' authority in it. */
export const dataFolder = '/var/lib/model-gateway';
export const authorityPath = `${dataFolder}/rds.pem`;

/** 32 MiB of bodies fit into the heap that Node takes of a task's 2 GiB: docs/deploy.md. */
const bodyBytesInFlight = 33_554_432;

/** The name of a variable that is one of an app's or a platform's. */
export function nameOfVariable(kind: string, name: string): string {
  return `${kind}_${name.replaceAll('-', '_')}`.toUpperCase();
}

/**
 * The whole configuration of the service. Ids, the database's address and secrets are variables of
 * the task: a text without any of them can be compared and loaded before there is an account.
 */
export function configurationText(deployment: Deployment, times: Times): string {
  const { company, region, network, streaming, gateway } = deployment;
  const { limits, ...rest } = gateway;
  const { stopDelayMs, stopMs, gatewayMs } = times;
  const configuration = {
    company,
    ...(deployment.front === 'alb' ? { publicUrl: `https://${deployment.host}` } : {}),
    listen: { host: '0.0.0.0', port: ports.calls },
    // Nothing outside of the task reaches it: operators forward this port to themselves.
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

/** What the service replaces by a variable of its environment. */
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
