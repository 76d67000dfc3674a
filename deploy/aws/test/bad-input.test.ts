import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { endOf } from '../../../harness/process.ts';
import { readDeployment } from '../lib/deployment/read.ts';
import { example } from '../lib/example.ts';

const hosted = { kind: 'openai-compatible', baseUrl: 'https://models.acme.example/v1' };
const secret = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:store-AbCdEf';
const nat = { egress: 'nat' };

const cases: readonly (readonly [string, object, RegExp])[] = [
  [
    'no secret of the store',
    { store: 'external', ...nat },
    /^storeSecretArn: .*write the full ARN/,
  ],
  ['a secret of another store', { storeSecretArn: secret }, /write store: external$/],
  ['no secret of the key ring', { keyRingSecretArn: undefined }, /^keyRingSecretArn: .*full ARN$/],
  ['a part of an ARN', { keyRingSecretArn: secret.slice(0, -7) }, /^keyRingSecretArn: .*full ARN$/],
  ['replicas on SQLite', { store: 'sqlite' }, /^store: sqlite .*; write rds, aurora or external$/],
  [
    'an app without a project',
    { apps: [{ name: 'search', project: 'none' }] },
    /^apps\.search: it has no project, .*; write project: own/,
  ],
  [
    'a project that is none',
    { apps: [{ name: 'search', project: 'prod-acme-core-search' }] },
    /^apps\.0\.project: write own/,
  ],
  [
    'a REST API that is slower than itself',
    { front: 'rest-api', gateway: { limits: { gatewayMs: 29_000 } } },
    /^gateway\.limits\.gatewayMs: 29000 is not below .*; write 28500 or less$/,
  ],
  ['streams behind a REST API', { front: 'rest-api', streaming: true }, /; write front: alb/],
  [
    'a grace that is shorter than the stop',
    { stopTimeoutSeconds: 30 },
    /^stopTimeoutSeconds: .* after 30 s, and a stop takes 39 s .*; write 39 or more/,
  ],
  [
    'a stop that is longer than the grace',
    { gateway: { limits: { stopMs: 60_000 } } },
    /^stopTimeoutSeconds: .*; write 74 or more, 120 at most, or .*stopMs of 31000 or less$/,
  ],
  ['a grace that Fargate has not', { stopTimeoutSeconds: 300 }, /whole number from 1 to 120$/],
  ['no certificate', { certificateArn: undefined }, /^certificateArn: there is no .*: write/],
  [
    'a certificate of elsewhere',
    { certificateArn: example.certificateArn.replace('eu-west-1', 'us-east-1') },
    /^certificateArn: .* write one of that region$/,
  ],
  [
    'an image that cannot be reached',
    { image: 'ghcr.io/acme/gateway:1' },
    /^image: .*egress: nat$/,
  ],
  ['a platform that cannot be reached', { platforms: { hosted } }, /^platforms\.hosted: .* nat$/],
  [
    'a key in the file',
    { platforms: { hosted: { ...hosted, apiKey: 'k' } }, ...nat },
    /apiKeySecretArn$/,
  ],
  ['a second mantle', { platforms: { mantle: hosted }, ...nat }, /write another name$/],
  ['a door for everyone', { callers: ['0.0.0.0/0'] }, /^callers/],
  ['a part of the internet', { callers: ['0.0.0.0/8'] }, /^callers: .*; write your own networks/],
  ['a key that follows', { gateway: { store: 'sqlite:x' } }, /^gateway\.store: .*; remove it$/],
  ['a platform that is not there', { gateway: { defaultPlatform: 'b' } }, /add it to platforms$/],
  ['an app twice', { apps: [{ name: 'a' }, { name: 'a' }] }, /^apps: a is there twice; remove/],
  ['an id in the wrong place', { apps: [{ name: 'a', projects: {} }] }, /write the id as project/],
  ['no app', { apps: [] }, /^apps: write one app$/],
  ['a web ACL without an API', { webAclArn: 'arn:aws:wafv2:x' }, /^webAclArn: .*; write front/],
  ['a region that is none', { region: 'Europe' }, /^region: write a region/],
  ['more at least than at most', { tasks: { min: 4, max: 2 } }, /^tasks: 4 is more than 2; write/],
  [
    'an address outside',
    { network: '10.300.0.0/16' },
    /^10\.300\.0\.0\/16 is not a valid network: /,
  ],
  [
    'half a network',
    { callers: ['10.0.0.1/8'] },
    /^10\.0\.0\.1\/8 is not a valid network: .* another$/,
  ],
  ['a network without room', { network: '10.80.0.0/24' }, /^network: .* from \/16 to \/19$/],
  [
    'a balancer that gives up before the service',
    { gateway: { limits: { gatewayMs: 60_000 } } },
    /^gateway\.limits\.gatewayMs: 60000 .*; write 59000 or less$/,
  ],
  [
    'routes that a REST API has not',
    { front: 'rest-api', gateway: { ingress: { openai: true } } },
    /^gateway\.ingress: .*; write front: alb, or remove it$/,
  ],
  ['a variable of ours', { secrets: { DATABASE_HOST: secret } }, /write another name$/],
  [
    'a variable that is not there',
    { gateway: { publicUrl: `\${${'URL'}}` } },
    /variable URL is not set; set it, or set URL_FILE to the path/,
  ],
  [
    'what the service would refuse',
    { apps: [{ name: 'search', dailyBudgetUsd: 'much' }] },
    /^gateway\.yaml: apps\[0\]\.dailyBudgetUsd: /,
  ],
  ['a key that it has not', { gateway: { budget: [] } }, /^gateway\.yaml: budget: .*budgets/],
  ['an unknown property', { domain: 'x' }, /^domain: there is no such property; remove it$/],
];

test.each(cases)('%s is reported in one sentence with the correction', (_, more, sentence) => {
  const read = readDeployment({ ...example, ...more });
  expect(read).toEqual({ problems: [expect.stringMatching(sentence)] });
});

test('all problems are reported at once', () => {
  const more = { certificateArn: undefined, stores: 1, company: 'Acme' };
  const read = readDeployment({ ...example, ...more });
  expect('problems' in read ? read.problems : []).toHaveLength(3);
});

test.each([
  ['no JSON', '{'],
  ['no table', '[]'],
])('a file that is %s is reported in one sentence, with exit code 2', async (_, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'model-gateway-aws-'));
  const file = join(folder, 'acme.json');
  writeFileSync(file, text);
  const ended = await run(file);
  rmSync(folder, { recursive: true });
  expect(ended).toEqual({
    code: 2,
    said: `${file}: must be a JSON object of properties: docs/deploy.md has an example\n`,
  });
});

test('a missing file is reported in one sentence too', async () => {
  const ended = await run('/nowhere/acme.json');
  expect(ended).toEqual({ code: 2, said: expect.stringMatching(/^\/nowhere\/acme.json: .*\n$/) });
});

async function run(file: string) {
  const app = join(import.meta.dirname, '../app.ts');
  const { code, output } = await endOf(process.execPath, [app, file]);
  return { code, said: output };
}
