import { describe, expect, test } from 'vitest';
import { synthesize } from './synthesize.ts';

const { projects, gateway, manifest } = synthesize();

describe('the stack Projects', () => {
  test.each(['search', 'tutor'])('has the project of %s, and never deletes it', (app) => {
    const project = projects
      .of('AWS::BedrockMantle::Project')
      .find(({ Properties }) => Properties.Name === `prod-acme-core-${app}`);
    expect(project).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(project?.Properties.Tags).toEqual([
      { Key: 'app', Value: app },
      { Key: 'company', Value: 'acme' },
      { Key: 'managed-by', Value: 'model-gateway' },
    ]);
  });

  test('is itself protected from deletion', () => {
    expect(manifest.artifacts.Projects.properties.terminationProtection).toBe(true);
    expect(manifest.artifacts.Gateway.dependencies).toContain('Projects');
  });

  test('exposes ids only by parameters, and the other stack reads each', () => {
    for (const { text } of [projects, gateway])
      expect(text).not.toMatch(/"Export"|Fn::ImportValue/);
    const names = projects.of('AWS::SSM::Parameter').map(({ Properties }) => Properties.Name);
    expect(names).toEqual([
      '/model-gateway/acme/projects/search',
      '/model-gateway/acme/projects/tutor',
    ]);
    const parameters = Object.values<{ Default: string; Type: string }>(
      JSON.parse(gateway.text).Parameters,
    );
    expect(parameters.map(({ Default }) => Default).toSorted()).toEqual(names);
    for (const { Type } of parameters) expect(Type).toBe('AWS::SSM::Parameter::Value<String>');
  });
});

describe('a removed app', () => {
  const after = synthesize({ apps: [{ name: 'search', dailyBudgetUsd: '50' }] });

  test('leaves both stacks as if it had never existed, so neither blocks the other', () => {
    for (const { text } of [after.projects, after.gateway]) expect(text).not.toMatch(/tutor/i);
  });

  test('leaves its project, since the former template retains it', () => {
    const kept = (template: typeof projects) =>
      template.of('AWS::BedrockMantle::Project').map(({ id }) => id);
    const gone = projects
      .of('AWS::BedrockMantle::Project')
      .filter(({ id }) => !kept(after.projects).includes(id));
    expect(gone).toMatchObject([
      { DeletionPolicy: 'Retain', Properties: { Name: 'prod-acme-core-tutor' } },
    ]);
  });

  test('changes nothing of the remaining project', () => {
    const [before, now] = [projects, after.projects].map((template) =>
      template
        .of('AWS::BedrockMantle::Project')
        .find(({ Properties }) => Properties.Name === 'prod-acme-core-search'),
    );
    expect([now?.id, now]).toEqual([expect.stringMatching(/^searchProject/), before]);
  });
});

test('apps whose names differ only in a hyphen have separate projects', () => {
  const names = ['a-b', 'ab'];
  const apps = names.map((name) => ({ name, dailyBudgetUsd: '1' }));
  const made = synthesize({ apps }).projects.of('AWS::BedrockMantle::Project');
  expect(made.map(({ Properties }) => Properties.Name)).toEqual(
    names.map((name) => `prod-acme-core-${name}`),
  );
});

test('an app may have an existing project', () => {
  const given = [{ name: 'search', dailyBudgetUsd: '50', project: 'proj_abc123' }];
  const made = synthesize({ apps: given });
  expect(made.projects.of('AWS::BedrockMantle::Project')).toEqual([]);
  expect(made.gateway.text).toContain(':project/proj_abc123');
});
