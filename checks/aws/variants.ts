const region = 'eu-west-1';
const account = '111122223333';
const secret = (name: string) =>
  `arn:aws:secretsmanager:${region}:${account}:secret:model-gateway/${name}-AbCdEf`;

const least = {
  ...{ company: 'acme', account, region, host: 'gateway.acme.example' },
  certificateArn: `arn:aws:acm:${region}:${account}:certificate/5c1f0e6a`,
  image: `${account}.dkr.ecr.${region}.amazonaws.com/model-gateway@sha256:${'0'.repeat(64)}`,
  keyRingSecretArn: secret('keys'),
  apps: [{ name: 'search', dailyBudgetUsd: '50' }],
};

/** Deployments to synthesize; the first one has no properties. */
export const variants: readonly (readonly [string, object | undefined])[] = [
  ['the example', undefined],
  ['one with streams', { ...least, streaming: true }],
  [
    'one with a REST API and a web ACL',
    {
      ...{ ...least, front: 'rest-api' },
      webAclArn: `arn:aws:wafv2:${region}:${account}:regional/webacl/acme/5c1f0e6a`,
      alarmTopicArn: `arn:aws:sns:${region}:${account}:operators`,
    },
  ],
  [
    'one on Aurora with another platform',
    {
      ...{ ...least, store: 'aurora', egress: 'nat' },
      platforms: {
        hosted: {
          ...{ kind: 'openai-compatible', baseUrl: 'https://models.acme.example/v1' },
          apiKeySecretArn: secret('hosted'),
        },
      },
    },
  ],
  [
    'one with a store elsewhere',
    { ...least, store: 'external', storeSecretArn: secret('store'), egress: 'nat' },
  ],
];
