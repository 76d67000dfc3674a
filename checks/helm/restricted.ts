import type { Container, PodSpec } from './manifests.ts';

type Facts = Readonly<Record<string, unknown>>;
type Rule = (pod: PodSpec, containers: readonly Container[]) => boolean;

const volumeKinds = [
  ...['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'persistentVolumeClaim'],
  ...['projected', 'secret'],
];
const everywhere = (pod: PodSpec, containers: readonly Container[], key: string) =>
  [pod, ...containers].map(({ securityContext }) => securityContext?.[key]);
const part = (value: unknown, key: string): unknown => Object(value)[key];
const own = (container: Container, key: string): unknown => container.securityContext?.[key];

/**
 * The profile "restricted" of the Pod Security Standards, including "baseline", written from their
 * text; and our additional rules.
 */
const rules: Readonly<Record<string, Rule>> = {
  'no process of the host': (pod, all) =>
    everywhere(pod, all, 'windowsOptions').every((value) => part(value, 'hostProcess') !== true),
  'no namespace of the host': ({ hostNetwork, hostPID, hostIPC }) =>
    [hostNetwork, hostPID, hostIPC].every((value) => value !== true),
  'not privileged': (_pod, all) => all.every((each) => own(each, 'privileged') !== true),
  'no port of the host': (_pod, all) =>
    all.every(({ ports = [] }) => ports.every(({ hostPort = 0 }) => hostPort === 0)),
  'no other host in a probe': (_pod, all) =>
    all.every(({ livenessProbe, readinessProbe, startupProbe }) =>
      [livenessProbe, readinessProbe, startupProbe].every(
        (probe) => probe?.httpGet.host === undefined,
      ),
    ),
  'AppArmor as it is': (pod, all) =>
    everywhere(pod, all, 'appArmorProfile').every((value) => part(value, 'type') !== 'Unconfined'),
  'SELinux as it is': (pod, all) =>
    everywhere(pod, all, 'seLinuxOptions').every((value) => value === undefined),
  'proc as it is': (_pod, all) =>
    all.every((each) => [undefined, 'Default'].some((mount) => mount === own(each, 'procMount'))),
  'no sysctl': ({ securityContext }) => part(securityContext, 'sysctls') === undefined,
  'volumes of the allowed kinds': ({ volumes }) =>
    volumes.every(({ name: _name, ...kinds }) =>
      Object.keys(kinds).every((kind) => volumeKinds.includes(kind)),
    ),
  'no more privileges than it began with': (_pod, all) =>
    all.every((each) => own(each, 'allowPrivilegeEscalation') === false),
  'not root': (pod, all) => {
    const values = all.map((each) => own(each, 'runAsNonRoot'));
    const ofPod = pod.securityContext?.runAsNonRoot === true;
    return values.every((each) => each === true || (ofPod && each === undefined));
  },
  'no user 0': (pod, all) => everywhere(pod, all, 'runAsUser').every((user) => user !== 0),
  'seccomp of the runtime': (pod, all) => {
    const [ofPod, ...said] = everywhere(pod, all, 'seccompProfile').map((each) =>
      part(each, 'type'),
    );
    return said.every((each) => (each ?? ofPod) === 'RuntimeDefault');
  },
  'no capability': (_pod, all) =>
    all.every((each) => JSON.stringify(own(each, 'capabilities')) === '{"drop":["ALL"]}'),
  'a root that cannot be written': (_pod, all) =>
    all.every((each) => own(each, 'readOnlyRootFilesystem') === true),
  'no token of a service account': ({ automountServiceAccountToken: value }) => value === false,
  'no variable of other services': ({ enableServiceLinks: value }) => value === false,
};

export const ruleNames = Object.keys(rules);

export function brokenRules(pod: PodSpec): readonly string[] {
  const containers = [...(pod.initContainers ?? []), ...pod.containers];
  return ruleNames.filter((name) => rules[name]?.(pod, containers) !== true);
}

/** For each rule, a copy of a good pod that breaks this rule. */
export function breakEach(good: PodSpec): ReadonlyMap<string, PodSpec> {
  const inPod = (facts: Facts): PodSpec => ({
    ...good,
    securityContext: { ...good.securityContext, ...facts },
  });
  const inContainer = (facts: Facts): PodSpec => ({
    ...good,
    containers: good.containers.map((each) => ({
      ...each,
      securityContext: { ...each.securityContext, ...facts },
    })),
  });
  const probe = { httpGet: { path: '/', port: 'http', host: 'elsewhere' } };
  const facts = { periodSeconds: 1, failureThreshold: 1 };
  return new Map<string, PodSpec>([
    ['no process of the host', inPod({ windowsOptions: { hostProcess: true } })],
    ['no namespace of the host', { ...good, hostPID: true }],
    ['not privileged', inContainer({ privileged: true })],
    ['no port of the host', withContainer(good, { ports: [{ name: 'http', hostPort: 80 }] })],
    ['no other host in a probe', withContainer(good, { livenessProbe: { ...probe, ...facts } })],
    ['AppArmor as it is', inPod({ appArmorProfile: { type: 'Unconfined' } })],
    ['SELinux as it is', inContainer({ seLinuxOptions: { type: 'spc_t' } })],
    ['proc as it is', inContainer({ procMount: 'Unmasked' })],
    ['no sysctl', inPod({ sysctls: [{ name: 'net.core.somaxconn', value: '1' }] })],
    [
      'volumes of the allowed kinds',
      { ...good, volumes: [{ name: 'root', hostPath: { path: '/' } }] },
    ],
    ['no more privileges than it began with', inContainer({ allowPrivilegeEscalation: undefined })],
    ['not root', inPod({ runAsNonRoot: undefined })],
    ['no user 0', inContainer({ runAsUser: 0 })],
    ['seccomp of the runtime', inContainer({ seccompProfile: { type: 'Unconfined' } })],
    ['no capability', inContainer({ capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } })],
    ['a root that cannot be written', inContainer({ readOnlyRootFilesystem: false })],
    ['no token of a service account', { ...good, automountServiceAccountToken: true }],
    ['no variable of other services', { ...good, enableServiceLinks: true }],
  ]);
}

function withContainer(good: PodSpec, facts: Partial<Container>): PodSpec {
  return { ...good, containers: good.containers.map((each) => ({ ...each, ...facts })) };
}
