import { isIPv4 } from 'node:net';
import { databaseAuthority } from '../gateway/database-authority.ts';
import { idleSeconds, integrationMs, stopRestMs, timesOf } from '../times.ts';
import type { Deployment } from './properties.ts';

/** Properties that do not fit together, each with the correction. */
export function problemsOf(deployment: Deployment): readonly string[] {
  return rules.flatMap((rule) => rule(deployment));
}

type Rule = (deployment: Deployment) => readonly string[];

/** Keys of gateway.yaml that follow from the other properties. */
const ownKeys = [
  ...['company', 'listen', 'admin', 'trustedProxies', 'store', 'streaming'],
  ...['platforms', 'apps'],
];

const rules: readonly Rule[] = [
  stores,
  apps,
  fronts,
  stops,
  places,
  networks,
  secrets,
  ({ gateway }) =>
    ownKeys
      .filter((key) => key in gateway)
      .map((key) => `gateway.${key}: this follows from the other properties; remove it`),
  ({ tasks: { min, max } }) =>
    min > max ? [`tasks: ${min} is more than ${max}; write the smaller number as min`] : [],
];

function stores({ store, storeSecretArn, tasks }: Deployment): readonly string[] {
  if (store === 'sqlite') {
    return [
      `store: sqlite is a file of one process, and here up to ${tasks.max} replicas run, each with a disk that ends with it; write rds, aurora or external`,
    ];
  }
  if (store === 'external' && storeSecretArn === undefined) {
    return [
      'storeSecretArn: there is no secret of the store: write the full ARN of one whose value is postgres://user:password@host:5432/database?sslmode=verify-full, or write store: rds',
    ];
  }
  if (store !== 'external' && storeSecretArn !== undefined) {
    return [
      `storeSecretArn: the store ${store} has a secret that this stack makes; remove it, or write store: external`,
    ];
  }
  return [];
}

function apps({ apps: all, gateway, platforms }: Deployment): readonly string[] {
  const names = all.map(({ name }) => name);
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  const problems = [...twice].map((name) => `apps: ${name} is there twice; remove one of the two`);
  const platform = gateway.defaultPlatform ?? mantle;
  if (platform !== mantle && !(platform in platforms)) {
    problems.push(`gateway.defaultPlatform: there is no ${platform}; add it to platforms`);
  }
  for (const app of all) {
    if (app.project === 'none' && platform === mantle) {
      problems.push(
        `apps.${app.name}: it has no project, and mantle bills every call to one; write project: own, or make another platform the gateway.defaultPlatform`,
      );
    }
    if ('projects' in app) {
      problems.push(`apps.${app.name}.projects: write the id as project; remove it`);
    }
  }
  return problems;
}

function fronts(deployment: Deployment): readonly string[] {
  return deployment.front === 'alb' ? balancers(deployment) : restApis(deployment);
}

function balancers(deployment: Deployment): readonly string[] {
  const problems: string[] = [];
  if (deployment.webAclArn !== undefined) {
    problems.push('webAclArn: the front alb takes none; write front: rest-api, or remove it');
  }
  const { gatewayMs = 0 } = timesOf(deployment);
  if (gatewayMs >= idleSeconds * 1_000) {
    problems.push(
      `gateway.limits.gatewayMs: ${gatewayMs} is not below the ${idleSeconds} s after which the balancer gives up a connection on which nothing comes; write ${idleSeconds * 1_000 - 1_000} or less`,
    );
  }
  return problems;
}

function restApis(deployment: Deployment): readonly string[] {
  const { streaming, gateway } = deployment;
  const problems: string[] = [];
  if ('ingress' in gateway) {
    problems.push(
      'gateway.ingress: a REST API has /v1 alone, and these routes are not below it; write front: alb, or remove it',
    );
  }
  if (streaming) {
    problems.push(
      'streaming: a REST API holds an answer back to its end and ends it after 29 s; write front: alb, or streaming: false',
    );
  }
  const { gatewayMs = 0 } = timesOf(deployment);
  if (gatewayMs >= integrationMs) {
    problems.push(
      `gateway.limits.gatewayMs: ${gatewayMs} is not below the ${integrationMs} ms of a REST API, whose own 504 would come first; write ${integrationMs - 500} or less`,
    );
  }
  return problems;
}

function stops(deployment: Deployment): readonly string[] {
  const { stopDelayMs, stopMs, stopTimeoutSeconds } = timesOf(deployment);
  const leastSeconds = Math.ceil((stopDelayMs + stopMs + stopRestMs) / 1_000);
  if (stopTimeoutSeconds >= leastSeconds) return [];
  const most = stopTimeoutSeconds * 1_000 - stopDelayMs - stopRestMs;
  return [
    `stopTimeoutSeconds: the task is killed after ${stopTimeoutSeconds} s, and a stop takes ${leastSeconds} s (stopDelayMs ${stopDelayMs} + stopMs ${stopMs} + ${stopRestMs}); write ${leastSeconds} or more, 120 at most, or a gateway.limits.stopMs of ${most} or less`,
  ];
}

function places(deployment: Deployment): readonly string[] {
  const { egress, image, platforms, region, certificateArn } = deployment;
  const problems: string[] = [];
  if (egress === 'none') {
    for (const name of Object.keys(platforms)) {
      problems.push(`platforms.${name}: nothing leaves the network; write egress: nat`);
    }
    if (ecrImage(image, region) === undefined) {
      problems.push(
        `image: ${image} is in no ECR of ${region}, and nothing else can be reached; push it there, or write egress: nat`,
      );
    }
  }
  if (databaseAuthority(region) === undefined) {
    problems.push(`region: no authority of RDS is known in ${region}; write another region`);
  }
  if (certificateArn.split(':')[3] !== region) {
    problems.push(`certificateArn: this one is not of ${region}; write one of that region`);
  }
  return problems;
}

function networks({ callers = [], network }: Deployment): readonly string[] {
  const problems = [network, ...callers]
    .filter((each) => !isNetwork(each))
    .map(
      (each) =>
        `${each} is not a valid network: its first address must end with zeros; write another`,
    );
  const bits = Number(network.split('/')[1]);
  if (bits < 16 || bits > 19) {
    problems.push(
      `network: a network of AWS has 16 bits at least, and this one needs room for four of 22; write one from /16 to /19`,
    );
  }
  if (callers.some((each) => each.startsWith('0.'))) {
    problems.push('callers: 0.0.0.0 is everyone; write your own networks, or front: rest-api');
  }
  return problems;
}

/** Whether all host bits of a network are 0. */
function isNetwork(cidr: string): boolean {
  const [address = '', bits] = cidr.split('/');
  if (!isIPv4(address)) return false;
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return value % 2 ** (32 - Number(bits)) === 0;
}

/** The beginnings of variables that belong to the stack and to AWS. */
const ownVariables = /^(AWS|DATABASE|ECS|MODEL_GATEWAY|NODE|PLATFORM|PORT|PROJECT)/;

function secrets({ platforms, secrets: named }: Deployment): readonly string[] {
  const reserved = Object.keys(named)
    .filter((name) => ownVariables.test(name))
    .map((name) => `secrets.${name}: variables that begin so are not yours; write another name`);
  return [...reserved, ...platformKeys(platforms)];
}

function platformKeys(platforms: Deployment['platforms']): readonly string[] {
  return Object.entries(platforms).flatMap(([name, platform]) => {
    if (name === mantle) return [`platforms.${name}: it is there already; write another name`];
    return 'apiKey' in platform
      ? [`platforms.${name}.apiKey: a key is no property; write apiKeySecretArn`]
      : [];
  });
}

/** The platform of every deployment. */
export const mantle = 'mantle';

/** The name of an app's billing project. */
export function projectName(company: string, app: string): string {
  return `prod-${company}-core-${app}`;
}

/** The repository and tag or digest of an image in the ECR of a region; undefined elsewhere. */
export function ecrImage(
  image: string,
  region: string,
): { readonly account: string; readonly repository: string; readonly version: string } | undefined {
  const pattern = /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com\/(.+?)(?::|@)(.+)$/;
  const [, account, place, repository, version] = pattern.exec(image) ?? [];
  if (account === undefined || repository === undefined || version === undefined) return undefined;
  return place === region ? { account, repository, version } : undefined;
}
