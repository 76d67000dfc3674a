import { stringify } from 'yaml';
import { type Manifest, type PodSpec, podOf, workloadOf } from './manifests.ts';

/** Texts by key, of Secrets by name. */
export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * The part of a rendering that Podman can play. Podman lacks StatefulSets, so this makes the pod
 * and the claim as their controller would. Its secrets have no items, so a ConfigMap replaces each
 * of their volumes. The check runs the probes itself, since Podman's need systemd and a shell. Pods
 * use addresses by name without Podman's name server, which falls silent when another pod starts or
 * stops.
 */
export function playable(
  manifests: readonly Manifest[],
  parts: {
    readonly secrets: Secrets;
    readonly isClaimed: boolean;
    readonly addresses: ReadonlyMap<string, string>;
  },
): string {
  const { secrets, isClaimed, addresses } = parts;
  const workload = workloadOf(manifests);
  const hostAliases = [...addresses].map(([name, ip]) => ({ ip, hostnames: [name] }));
  const pod = { ...podFor(podOf(manifests)), hostAliases };
  const configMaps = podOf(manifests).volumes.flatMap(({ name, secret }) => {
    if (secret === undefined) return [];
    const data = secrets[String(Object(secret).secretName)] ?? {};
    return [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }];
  });
  const own = manifests.filter(({ kind, data }) => kind === 'ConfigMap' && data?.['gateway.yaml']);
  // A controller leaves an existing claim unchanged; Podman would reject it.
  const claims = isClaimed ? [] : claimsOf(workload);
  return [...configMaps, ...own, ...claims, running(workload, pod)]
    .map((each) => `---\n${stringify(each)}`)
    .join('');
}

function running(workload: Manifest, pod: PodSpec): object {
  const { kind, metadata, spec } = workload;
  const labels = spec?.template?.metadata.labels;
  if (kind === 'Deployment') {
    const template = { metadata: { labels }, spec: pod };
    return { ...workload, spec: { ...spec, template } };
  }
  const name = `${metadata.name}-0`;
  const claimed = (spec?.volumeClaimTemplates ?? []).map(({ metadata: { name: volume } }) => ({
    ...{ name: volume, persistentVolumeClaim: { claimName: `${volume}-${name}` } },
  }));
  const made = { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels } };
  return { ...made, spec: { ...pod, volumes: [...pod.volumes, ...claimed] } };
}

function claimsOf({ metadata, spec }: Manifest): readonly object[] {
  return (spec?.volumeClaimTemplates ?? []).map((claim) => ({
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    ...{ metadata: { name: `${claim.metadata.name}-${metadata.name}-0` }, spec: claim.spec },
  }));
}

function podFor(pod: PodSpec): PodSpec {
  const containers = pod.containers.map((container) => {
    const { ports, startupProbe, readinessProbe, livenessProbe, ...rest } = container;
    return rest;
  });
  const volumes = pod.volumes.map((volume) => {
    const { secret, ...rest } = volume;
    if (secret === undefined) return volume;
    return { ...rest, configMap: { name: rest.name, items: Object(secret).items } };
  });
  return { ...pod, containers, volumes };
}
