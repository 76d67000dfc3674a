import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { propertiesSchema } from '../lib/deployment/properties.ts';
import { readDeployment } from '../lib/deployment/read.ts';
import { gatewayContainer, synthesize } from './synthesize.ts';

const read = (path: string) =>
  readFileSync(join(import.meta.dirname, '../../../docs', path), 'utf8');
const [, whole = ''] = read('deploy.md').split('\n## AWS\n');
const [section = ''] = whole.split('\n## ');
const blocks = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) =>
  JSON.parse(text),
);

describe('docs/deploy.md', () => {
  test('has every property, and no other', () => {
    const rows = section.match(/^\| `[^|]+\|/gm) ?? [];
    const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    const properties = Object.keys(propertiesSchema.shape);
    expect([...new Set(named)].toSorted()).toEqual(properties.toSorted());
  });

  test('shows a valid deployment', () => {
    expect(readDeployment(blocks[0])).toMatchObject({ deployment: { company: 'acme' } });
  });

  test('denies mantle to all but the role of the tasks', () => {
    const [{ Action, Condition }] = blocks[1].Statement;
    const { gateway } = synthesize();
    const policies = gateway
      .of('AWS::IAM::Policy')
      .filter(({ id }) => id.startsWith('TaskRole'))
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
    expect(Action).toEqual(policies.map((statement) => statement.Action));
    const names = gateway
      .of('AWS::IAM::Role')
      .flatMap(({ Properties }) => Properties.RoleName ?? []);
    const account = 'arn:aws:iam::111122223333';
    expect(names.map((name) => `${account}:role/${name}`)).toEqual([
      Condition.ArnNotLike['aws:PrincipalArn'],
    ]);
  });

  test('names existing outputs and an existing container', () => {
    const outputs = Object.keys(JSON.parse(synthesize().gateway.text).Outputs);
    const upper = outputs.map((id) => id.replace(/[0-9A-F]{8}$/, '').toUpperCase());
    for (const name of section.match(/\b(CLUSTER|OPERATOR)[A-Z]+\b/g) ?? []) {
      expect(upper).toContain(name);
    }
    expect(outputs).toContain(/group `(\w+)`/.exec(section)?.[1]);
    expect(gatewayContainer(synthesize().gateway, 'Operator').gateway.Name).toBe('gateway');
    expect(section).toContain('--container gateway');
  });
});

test('docs/operations.md has the times of a shutdown', () => {
  const row = read('operations.md').match(/^\| \[AWS\].*$/m)?.[0] ?? '';
  const numbers = [...row.matchAll(/\b(\d+) s\b/g)].map(([, seconds]) => Number(seconds));
  const seconds = [{}, { streaming: true }].map((more) => {
    const { gateway } = synthesize(more);
    const targets = gateway.one('AWS::ElasticLoadBalancingV2::TargetGroup').Properties;
    const attributes: readonly { Key: string; Value: string }[] = targets.TargetGroupAttributes;
    const delay = attributes.find(({ Key }) => Key === 'deregistration_delay.timeout_seconds');
    return [gatewayContainer(gateway).gateway.StopTimeout, Number(delay?.Value)];
  });
  expect(numbers).toEqual([0, 1].flatMap((column) => seconds.map((times) => times[column])));
});
