import { fileURLToPath } from 'node:url';
import { run } from '../../harness/process.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** An object of a kind, as a package of models makes it; `validate` throws what is wrong. */
type Model = new (data: object) => { validate(): void };

/** An object of whatever kind. */
interface AnyObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: object;
}

/** Where the models of kinds are that are not of Kubernetes itself. */
const packages: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io/v1 HTTPRoute': 'gateway-api',
  'keda.sh/v1alpha1 ScaledObject': 'keda',
  'monitoring.coreos.com/v1 PrometheusRule': 'prometheus-operator',
  'monitoring.coreos.com/v1 ServiceMonitor': 'prometheus-operator',
};

/** The kinds that the models of others are there for. */
export const otherKinds = Object.keys(packages);

/** Installs the models beside this file, as locked; no script of theirs runs. */
export async function installModels(): Promise<void> {
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}

/** What is wrong with an object by its own makers; undefined where it is one of Kubernetes. */
export async function problemOfOther(manifest: AnyObject): Promise<string | undefined> {
  const { apiVersion, kind } = manifest;
  const name = packages[`${apiVersion} ${kind}`];
  if (name === undefined) return undefined;
  const path = import.meta.resolve(`@kubernetes-models/${name}/${apiVersion}/${kind}`);
  const models: Readonly<Record<string, Model>> = await import(path);
  const Kind = models[kind];
  if (Kind === undefined) throw new Error(`${name} has no ${kind}`);
  try {
    new Kind(manifest).validate();
    return '';
  } catch (error) {
    return `${kind}: ${error instanceof Error ? error.message : error}`;
  }
}
