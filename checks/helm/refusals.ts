/** Values on top of the minimum, and a part of the sentence that rejects them. */
export interface Refusal {
  readonly values: Readonly<Record<string, unknown>>;
  readonly message: string;
}

const sqlite = { store: { kind: 'sqlite', existingSecret: '' } };
const ingress = { enabled: true, host: 'gateway.acme.example' };
const config = (more: object) => ({ config: { company: 'acme', ...more } });

/** Values that the chart itself rejects, in a sentence with the correction. */
export const refusals: readonly Refusal[] = [
  { values: { image: { repository: '' } }, message: 'image.repository is empty: write' },
  { values: { image: { tag: '' } }, message: 'image.tag and image.digest are empty: write' },
  { values: { config: null }, message: 'config is empty: write company' },
  {
    values: { config: null, existingConfigMap: 'own' },
    message: 'hides its limits from the chart',
  },
  { values: { existingConfigMap: 'own' }, message: 'config and existingConfigMap are both given' },
  {
    values: config({ store: 'sqlite:./x.db' }),
    message: "config.store is the chart's: leave it out",
  },
  {
    values: config({ tracing: { otlp: 'collector:4317' } }),
    message:
      'config.tracing.otlp must be the URL of a collector that accepts OTLP over HTTP: write',
  },
  {
    values: config({ limits: { stopMs: 'as long as it takes' } }),
    message: 'config.limits.stopMs must be a whole number: write milliseconds',
  },
  {
    values: config({ limits: { stopDelayMs: 1.5 } }),
    message: 'config.limits.stopDelayMs must be a whole number: write milliseconds',
  },
  {
    values: { terminationGracePeriodSeconds: 30 },
    message: 'terminationGracePeriodSeconds is 30, shorter than the stop: write 39 or more',
  },
  {
    values: { ...config({ streaming: true }), terminationGracePeriodSeconds: 45 },
    message: 'terminationGracePeriodSeconds is 45, shorter than the stop: write 314 or more',
  },
  {
    values: { ...config({ limits: { stopMs: 3_600_000 } }), terminationGracePeriodSeconds: 3600 },
    message: 'shorter than the stop: write 3614 or more',
  },
  {
    values: { ...sqlite, replicas: 2 },
    message: 'replicas is 2: write replicas: 1, or store.kind',
  },
  {
    values: { ...sqlite, autoscaling: { kind: 'hpa' } },
    message: 'write autoscaling.kind: none, or',
  },
  { values: { store: { kind: 'sqlite' } }, message: 'are of PostgreSQL, and store.kind is sqlite' },
  {
    values: { store: { existingSecret: '' } },
    message:
      'store.existingSecret is empty: write the name of a Secret in models whose key url has',
  },
  {
    values: { store: { existingSecret: '', host: 'db' } },
    message:
      'store.existingSecret is empty: write the name of a Secret in models whose key password',
  },
  {
    values: { keyRing: { existingSecret: '' } },
    message: 'keyRing.existingSecret is empty: write',
  },
  {
    values: { store: { host: 'db', sslmode: 'disable' } },
    message: 'store.sslmode is disable, so traffic to the database would not be encrypted',
  },
  {
    values: { store: { authority: { existingSecret: 'one', existingConfigMap: 'other' } } },
    message: 'store.authority has a Secret and a ConfigMap: keep one of them',
  },
  {
    values: { config: null, existingConfigMap: 'own', store: { host: 'db' } },
    message: 'store.host is put into config, and existingConfigMap takes its place',
  },
  {
    values: { autoscaling: { kind: 'hpa', min: 5, max: 4 } },
    message: 'autoscaling.max is less than autoscaling.min',
  },
  {
    values: { autoscaling: { kind: 'keda' } },
    message: 'autoscaling.prometheus must be a URL: write',
  },
  { values: { ingress: { enabled: true } }, message: 'ingress.host is empty: write the name' },
  {
    values: { ingress },
    message: 'ingress.tls.existingSecret is empty, and keys would be sent in',
  },
  { values: { httpRoute: { enabled: true } }, message: 'httpRoute.parentRefs is empty: write' },
  { values: { httpRoute: { enabled: true } }, message: 'httpRoute.hostnames is empty: write' },
  {
    values: { httpRoute: { enabled: true, parentRefs: [{ name: 'front' }], hostnames: ['a.b'] } },
    message:
      'httpRoute.parentRefs has no sectionName for front, and keys could be sent in clear text',
  },
  {
    values: { ingress, httpRoute: { enabled: true } },
    message: 'ingress and httpRoute are both enabled: keep one of them',
  },
  {
    values: { monitoring: { serviceMonitor: { enabled: true } } },
    message: 'write that of Prometheus into networkPolicy.operatorNamespaces',
  },
  {
    values: { env: { MODEL_GATEWAY_STORE: 'sqlite:/x.db' } },
    message: "MODEL_GATEWAY_STORE is the chart's: leave it out of env and secrets",
  },
  {
    values: { env: { KEY: 'x' }, secrets: { KEY: { existingSecret: 'one', key: 'key' } } },
    message: 'KEY is in env and in secrets: keep one of them',
  },
  { values: config({ limits: 'none' }), message: 'config.limits has no keys: write them below it' },
  { values: { config: 'streams:\nplatforms: 5' }, message: 'config.streams has no keys: write' },
  { values: { config: 'streams:\nplatforms: 5' }, message: 'config.platforms has no keys: write' },
  {
    values: config({ apps: ['search'] }),
    message: 'config.apps must be a list of apps: write a line',
  },
  {
    values: config({ apps: { search: {} } }),
    message: 'config.apps must be a list of apps: write',
  },
  { values: { config: 'company: [acme' }, message: 'config must be valid YAML: ' },
  { values: { config: '- acme' }, message: 'config must be valid YAML: ' },
];

/** Values that the schema rejects, by path. */
export const schemaRefusals: readonly Refusal[] = [
  { values: { ingres: { enabled: true } }, message: "additional properties 'ingres' not allowed" },
  { values: { securityContext: { privileged: true } }, message: "'securityContext' not allowed" },
  { values: { replicas: 0 }, message: "at '/replicas': minimum: got 0, want 1" },
  { values: { replicas: 'two' }, message: "at '/replicas': got string, want null or integer" },
  { values: { user: 0 }, message: "at '/user': minimum: got 0, want 1" },
  { values: { user: 'root' }, message: "at '/user': got string" },
  { values: { store: { kind: 'mysql' } }, message: "at '/store/kind': value must be one of" },
  {
    values: { store: { sslmode: 'prefer' } },
    message: "at '/store/sslmode': value must be one of",
  },
  { values: { store: { host: 'db:5432' } }, message: "at '/store/host': 'db:5432' does not match" },
  { values: { store: { port: 70000 } }, message: "at '/store/port': maximum: got 70,000" },
  {
    values: { store: { password: 'x' } },
    message: "at '/store': additional properties 'password'",
  },
  {
    values: { keyRing: { existingSecret: 'Not_A_Name' } },
    message: "at '/keyRing/existingSecret'",
  },
  { values: { secrets: { KEY: 'the key itself' } }, message: "at '/secrets/KEY': got string" },
  {
    values: { secrets: { 'A-KEY': { existingSecret: 'a', key: 'b' } } },
    message: "invalid propertyName 'A-KEY'",
  },
  {
    values: { secrets: { key_: { existingSecret: 'a', key: 'b' } } },
    message: "propertyName 'key_'",
  },
  { values: { env: { PORT: 8080 } }, message: "at '/env/PORT': got number, want string" },
  {
    values: { image: { digest: 'latest' } },
    message: "at '/image/digest': 'latest' does not match",
  },
  { values: { image: { pullPolicy: 'Never ever' } }, message: "at '/image/pullPolicy'" },
  {
    values: { autoscaling: { kind: 'vpa' } },
    message: "at '/autoscaling/kind': value must be one",
  },
  { values: { logLevel: 'trace' }, message: "at '/logLevel': value must be one of" },
  { values: { config: ['company'] }, message: "at '/config': got array" },
];
