import { describe, expect, test } from 'vitest';
import { noProjectId } from '../../../packages/server/src/platforms/mantle/probe.ts';
import { type Synthesized, synthesize } from './synthesize.ts';

interface Statement {
  readonly Action: string | readonly string[];
  readonly Effect: string;
  readonly Resource: unknown;
  readonly Condition?: object;
}

const { gateway } = synthesize();
const rest = synthesize({ front: 'rest-api' }).gateway;

const actionsOf = ({ Action }: Statement) => [Action].flat();

/** The statements of the policies whose ids begin with `id`. */
function statements(template: Synthesized, id: string): readonly Statement[] {
  const policies = template.of('AWS::IAM::Policy').filter((policy) => policy.id.startsWith(id));
  return policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
}

describe('the role of the service', () => {
  const found = statements(gateway, 'TaskRole');

  test('may call models and use short-term keys, and nothing else', () => {
    expect(found.map(actionsOf)).toEqual([
      ['bedrock-mantle:CreateInference'],
      ['bedrock-mantle:CallWithBearerToken'],
    ]);
  });

  test('calls models only in its own projects, and in the impossible project of the probe', () => {
    const [calls] = found;
    const resources = [calls?.Resource].flat().map((resource) => JSON.stringify(resource));
    const arn = ':bedrock-mantle:eu-west-1:111122223333:project/';
    for (const resource of resources) expect(resource).toContain(arn);
    const ids = resources.map((resource) => /Projects[a-z]+|proj_\w+/.exec(resource)?.[0]);
    expect(ids.toSorted()).toEqual(['Projectssearch', 'Projectstutor', noProjectId]);
    expect(resources.join()).not.toContain('*');
  });

  test('uses no long-lived key', () => {
    expect(found[1]).toMatchObject({
      Resource: '*',
      Condition: { StringNotEqualsIfExists: { 'bedrock-mantle:BearerTokenType': 'LONG_TERM' } },
    });
  });
});

test('the role of operators has sessions, and calls no model', () => {
  const found = statements(gateway, 'OperatorDefinitionTaskRole').flatMap(actionsOf);
  expect(found.toSorted()).toEqual([
    'ssmmessages:CreateControlChannel',
    'ssmmessages:CreateDataChannel',
    'ssmmessages:OpenControlChannel',
    'ssmmessages:OpenDataChannel',
  ]);
});

test('the starter of a task reads its own secrets and its own image', () => {
  const found = statements(gateway, 'TaskDefinitionExecutionRole');
  const secrets = found.filter((each) => actionsOf(each).includes('secretsmanager:GetSecretValue'));
  const resources = secrets.flatMap(({ Resource }) => [Resource].flat());
  expect(resources.map((each) => JSON.stringify(each)).toSorted()).toEqual([
    '"arn:aws:secretsmanager:eu-west-1:111122223333:secret:model-gateway/keys-AbCdEf"',
    expect.stringMatching(/^{"Ref":"StoreSecret/),
  ]);
  const images = found.filter((each) => actionsOf(each).includes('ecr:BatchGetImage'));
  expect(JSON.stringify(images)).toContain(
    'arn:aws:ecr:eu-west-1:111122223333:repository/model-gateway',
  );
});

/** Actions to which AWS gives no resource. */
const withoutResource = [
  'bedrock-mantle:CallWithBearerToken',
  'ecr:GetAuthorizationToken',
  'ssmmessages:CreateControlChannel',
  'ssmmessages:CreateDataChannel',
  'ssmmessages:OpenControlChannel',
  'ssmmessages:OpenDataChannel',
];

test.each([
  ['alb', gateway],
  ['rest-api', rest],
])('no policy of the front %s has a wildcard where AWS has a resource', (_, template) => {
  const all = template
    .of('AWS::IAM::Policy')
    .flatMap(({ Properties }): readonly Statement[] => Properties.PolicyDocument.Statement);
  expect(all.length).toBeGreaterThan(5);
  for (const statement of all) {
    const actions = actionsOf(statement);
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
    if ([statement.Resource].flat().includes('*')) {
      expect(actions.filter((action) => !withoutResource.includes(action))).toEqual([]);
    }
  }
});
