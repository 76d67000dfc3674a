import { App, Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { buildStacks } from '../lib/build-stacks.ts';
import { deploymentOf, synthesize } from './synthesize.ts';

const acknowledgedKey = 'aws:cdk:acknowledged-rules';
const secret = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:store-AbCdEf';
const variants: readonly (readonly [string, object])[] = [
  ['the example', {}],
  ['streams', { streaming: true }],
  ['a REST API', { front: 'rest-api' }],
  ['Aurora', { store: 'aurora' }],
  ['a store elsewhere', { store: 'external', storeSecretArn: secret, egress: 'nat' }],
];

/** cdk-nag, as if nothing were acknowledged. */
function unforgiving(app: App): AwsSolutionsChecks {
  const checks = new AwsSolutionsChecks(app);
  Reflect.set(checks, 'isAcknowledged', () => false);
  return checks;
}

function synthesizeFindings(properties: object) {
  const app = new App();
  buildStacks(app, deploymentOf(properties));
  const named = (checks: AwsSolutionsChecks) =>
    checks.validateScope(app).violations.map(({ ruleName }) => ruleName);
  const reasons = app.node
    .findAll()
    .flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type === acknowledgedKey)
        .flatMap(({ data }) => Object.entries<unknown>(data)),
    );
  return { open: named(new AwsSolutionsChecks(app)), all: named(unforgiving(app)), reasons };
}

describe.each(variants)('%s', (_name, properties) => {
  const { open, all, reasons } = synthesizeFindings(properties);
  const nag = reasons.filter(([id]) => id.includes('AwsSolutions-'));

  test('has only acknowledged findings of cdk-nag', () => {
    expect(open).toEqual([]);
  });

  test('acknowledges findings, and nothing else', () => {
    const ids = new Set(nag.map(([id]) => id.replace(/^annotation::/i, '')));
    expect([...ids].toSorted()).toEqual([...new Set(all)].toSorted());
  });

  test('gives a reason for each', () => {
    expect(reasons.length).toBeGreaterThan(3);
    for (const [id, reason] of reasons) {
      const text = typeof reason === 'string' ? reason : JSON.stringify(reason);
      expect([id, text.length > 30]).toEqual([id, true]);
    }
  });

  test('is synthesized, which fails if CloudFormation would reject it', () => {
    expect(synthesize(properties).gateway.of('AWS::ECS::Service')).toHaveLength(1);
  });
});

test('a finding without an acknowledgment ends the synthesis', () => {
  const app = new App();
  buildStacks(app, deploymentOf());
  new Bucket(new Stack(app, 'Other'), 'Open');
  expect(() => app.synth()).toThrow(/AwsSolutions-S10/);
});
