import { fileURLToPath } from 'node:url';
import { run } from '../../harness/process.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** An object of a kind, from a package of models; `validate` throws its faults. */
type Model = new (data: object) => { validate(): void };

interface AnyObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: object;
}

/** The packages with the models of kinds outside of Kubernetes itself. */
const packages: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io/v1 HTTPRoute': 'gateway-api',
  'keda.sh/v1alpha1 ScaledObject': 'keda',
  'monitoring.coreos.com/v1 PrometheusRule': 'prometheus-operator',
  'monitoring.coreos.com/v1 ServiceMonitor': 'prometheus-operator',
};

export const otherKinds = Object.keys(packages);

/** Installs the locked models next to this file, without their scripts. */
export async function installModels(): Promise<void> {
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}

/** The fault of an object by its vendor's model; undefined for an object of Kubernetes. */
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
