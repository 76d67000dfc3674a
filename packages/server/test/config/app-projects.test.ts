import { describe, expect, test } from 'vitest';
import { configOf, problemsOf } from './load.ts';

const fileOf = (...projects: readonly string[]) => `
company: acme
platforms:
  sandbox: { kind: simulator }
  mantle: { kind: bedrock-mantle, region: eu-west-1, apiKey: k }
  openai: { kind: openai, apiKey: k }
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:9/v1", apiKey: none }
apps:
${projects.map((each, index) => `  - { name: app-${index}, projects: ${each} }`).join('\n')}
`;

describe('project ids from another tool', () => {
  test('are read for each platform, also from variables', () => {
    const yaml = fileOf(`{ mantle: "\${PROJECT}", openai: proj_b }`, '{}');
    const { apps } = configOf(yaml, { PROJECT: 'proj_a' });
    expect(apps).toMatchObject([{ projects: { mantle: 'proj_a', openai: 'proj_b' } }, {}]);
  });

  test('make another configuration, and an empty list keeps the former one', () => {
    const hashOf = (...projects: readonly string[]) => configOf(fileOf(...projects)).hash;
    const without = fileOf('{}').replace(', projects: {}', '');
    expect(hashOf('{ mantle: proj_a }')).not.toBe(hashOf('{ mantle: proj_b }'));
    expect(configOf(without).hash).not.toBe(hashOf('{ mantle: proj_a }'));
  });

  test.each([
    ['{ mantel: proj_a }', 'mantel', 'unknown platform mantel; the file has sandbox, '],
    ['{ sandbox: proj_a }', 'sandbox', 'a simulator creates its own projects; remove this'],
    ['{ local: proj_a }', 'local', 'platforms of the kind openai-compatible have no projects; '],
    ['{ mantle: prod-acme-core-a }', 'mantle', 'prod-acme-core-a is not a project id; use the id '],
    ['{ openai: "a b" }', 'openai', '"a b" is not a valid project id; it is sent as a header'],
    ['{ openai: Default }', 'openai', '"Default" is the project of all calls without one'],
    ['{ openai: [] }', 'openai', ''],
  ])('%s is a problem with its path', (projects, platform, sentence) => {
    const [problem = '', ...more] = problemsOf(fileOf(projects));
    expect(problem.startsWith(`apps[0].projects.${platform}: ${sentence}`)).toBe(true);
    expect(more).toEqual([]);
  });

  test('of an invalid platform are not checked', () => {
    const file = fileOf('{ mantle: proj_a }').replace('region: eu-west-1, ', '');
    expect(problemsOf(file)).toEqual([expect.stringMatching(/^platforms.mantle/)]);
  });

  test('each belong to one app, on any platform', () => {
    const file = fileOf('{ openai: proj_a, mantle: proj_a }', '{ mantle: proj_b, openai: proj_a }');
    expect(problemsOf(file)).toEqual([
      'apps[1].projects.openai: proj_a is already the project of app-0',
    ]);
  });
});
