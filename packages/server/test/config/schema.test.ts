import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../../../harness/process.ts';
import { configSchema } from '../../src/config/file-keys.ts';

const root = new URL('../../../../', import.meta.url).pathname;
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictRequired: false });
const validate = ajv.compile(configSchema());

/** The problems that the schema finds in a file, as an editor would show them. */
function findingsOf(yaml: string): readonly string[] {
  validate(parse(yaml));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The configurations in documents, by document and number. */
const shown = (await run('git', ['ls-files', '*.md'], { cwd: root }))
  .trim()
  .split('\n')
  .flatMap((path) =>
    [...read(path).matchAll(/```ya?ml\n(.*?)```/gs)]
      .map(([, yaml = '']) => yaml)
      .filter((yaml) => /^company:/m.test(yaml))
      .map((yaml, index) => ({ name: `${path} ${index + 1}`, yaml })),
  );

describe('the JSON Schema of the configuration', () => {
  test('is the file that editors read; npx model-gateway config schema prints it', () => {
    const written = `${JSON.stringify(configSchema(), null, 2)}\n`;
    expect(read('gateway.schema.json')).toBe(written);
  });

  test('is named in the first line of the sample', () => {
    expect(read('gateway.yaml')).toMatch(
      /^# yaml-language-server: \$schema=.\/gateway.schema.json\n/,
    );
    expect(findingsOf(read('gateway.yaml'))).toEqual([]);
  });

  test('accepts every configuration in the documents', () => {
    expect(shown.length).toBeGreaterThan(6);
    for (const { name, yaml } of shown) expect([name, findingsOf(yaml)]).toEqual([name, []]);
  });

  test('describes every key, with the text of the documents', () => {
    const documented = read('docs/configuration.md');
    for (const [name, about] of keysOf(configSchema())) {
      expect([name, typeof about]).toEqual([name, 'string']);
      expect([name, new RegExp(`\\b${name}\\b`).test(documented)]).toEqual([name, true]);
    }
  });

  test('finds the faults that an editor should mark', () => {
    const yaml = `
companny: acme
listen: { port: 70000 }
platforms:
  sandbox: { kind: simulator, apiKey: x }
  cloud: { kind: openai }
models: [{ id: a, platform: sandbox, inputUsdPerMillion: "1" }]
apps: [{ name: Search }]
unpriced: maybe
`;
    expect(findingsOf(yaml)).toEqual([
      " must have required property 'company'",
      ' must NOT have additional properties',
      '/listen/port must be <= 65535',
      '/platforms/sandbox/apiKey boolean schema is false',
      '/platforms/sandbox must match "then" schema',
      "/platforms/cloud must have required property 'apiKey'",
      '/platforms/cloud must match "then" schema',
      '/unpriced must be equal to one of the allowed values',
      expect.stringContaining('/unpriced must match pattern'),
      '/unpriced must match a schema in anyOf',
      '/models/0 must have properties inputUsdPerMillion, outputUsdPerMillion when property inputUsdPerMillion is present',
      '/models/0 must match "else" schema',
      '/models/0 must match "else" schema',
      expect.stringContaining('/apps/0/name must match pattern'),
    ]);
  });
});

/** Every key of a schema, with its description. */
function keysOf(schema: unknown): readonly (readonly [string, unknown])[] {
  const { properties = {}, items, additionalProperties } = Object(schema);
  const own = Object.entries(Object(properties)).flatMap(([name, each]) => [
    [name, Object(each).description] as const,
    ...keysOf(each),
  ]);
  return [
    ...own,
    ...(items ? keysOf(items) : []),
    ...(additionalProperties ? keysOf(additionalProperties) : []),
  ];
}
