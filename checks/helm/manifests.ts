/** The used fields of a rendered container. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly ports?: readonly { readonly name: string; readonly hostPort?: number }[];
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string; readonly host?: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

/** The used fields of a pod. */
export interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[];
}

/** The used fields of a volume claim. */
export interface Claim {
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly replicas?: number;
    readonly minAvailable?: number;
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: PodSpec;
    };
    readonly volumeClaimTemplates?: readonly Claim[];
  };
}

export function workloadOf(manifests: readonly Manifest[]): Manifest {
  const manifest = manifests.find(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  if (manifest === undefined) throw new Error('it renders no pods');
  return manifest;
}

export function podOf(manifests: readonly Manifest[]): PodSpec {
  const { spec } = workloadOf(manifests);
  if (spec?.template === undefined) throw new Error('its workload has no pod');
  return spec.template.spec;
}

/** The text of a rendering's configuration; undefined where it has none. */
export function configurationOf(manifests: readonly Manifest[]): string | undefined {
  const texts = manifests.flatMap(({ kind, data }) =>
    kind === 'ConfigMap' ? (data?.['gateway.yaml'] ?? []) : [],
  );
  return texts[0];
}
