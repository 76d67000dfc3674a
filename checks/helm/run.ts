import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeBlocks, readRepositoryFile, sectionOf } from '../../examples/testing/markdown.ts';
import { withScope } from '../../harness/scope.ts';
import { buildStandIns } from '../compose/stand-ins.ts';
import { buildBase, buildImage } from '../image/base.ts';
import { installContainers, openContainers } from '../image/containers.ts';
import { createSteps, expect } from '../image/steps.ts';
import { openChart, type Rendering } from './chart.ts';
import { openCluster } from './cluster.ts';
import { configurationProblems } from './configuration.ts';
import { commandsOf, firstCall, inspectPod } from './first-call.ts';
import { configurationOf, podOf } from './manifests.ts';
import { installModels, otherKinds, problemOfOther } from './others.ts';
import { refusals, schemaRefusals } from './refusals.ts';
import { breakEach, brokenRules, ruleNames } from './restricted.ts';
import { validate } from './schemas.ts';
import { findHelm, findValidator } from './tools.ts';

const runMsMax = 1_800_000;
const image = 'localhost/model-gateway:check';
/** Values that every other kind rejects: rules, triggers, groups and endpoints are objects. */
const wrongSpec = { rules: ['none'], triggers: ['none'], groups: ['none'], endpoints: ['none'] };
const folderOfValues = fileURLToPath(new URL('values', import.meta.url));
const valuesOf = (name: string) => join(folderOfValues, `${name}.yaml`);

await withScope(runMsMax, async (scope) => {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-helm-'));
  scope.add(() => rm(folder, { recursive: true, force: true }));
  const { step, close } = createSteps();
  const chart = await openChart(await findHelm(), join(folder, 'chart'));
  const files = (await readdir(folderOfValues)).toSorted();
  const names = files.map((file) => file.replace('.yaml', ''));
  const renderings = new Map<string, Rendering>();

  await step('every file of values is rendered, and Helm finds nothing', async () => {
    for (const name of names) {
      renderings.set(name, await chart.render(valuesOf(name)));
      const findings = await chart.lint(valuesOf(name));
      expect(findings === '', `${name}: ${findings}`);
    }
    expect(names.length >= 12, `there are ${names.length}`);
    return `${names.length} files`;
  });
  await step('each object is as the schemas of Kubernetes 1.30 to 1.37 have it', async () => {
    const rendered: string[] = [];
    for (const [name, { text }] of renderings) {
      rendered.push(join(folder, `${name}.yaml`));
      await writeFile(join(folder, `${name}.yaml`), text);
    }
    const { problems, passed, unknown } = await validate(await findValidator(), rendered);
    expect(problems.length === 0, problems.join('; '));
    expect(unknown.join() === otherKinds.join(), `it has no schemas of ${unknown.join(', ')}`);
    return `${passed} objects`;
  });
  await step(
    'each object of others is as their models have it, and a wrong one is seen',
    async () => {
      await installModels();
      const manifests = [...renderings.values()].flatMap((each) => each.manifests);
      let passed = 0;
      for (const manifest of manifests) {
        const problem = await problemOfOther(manifest);
        if (problem === undefined) continue;
        expect(problem === '', String(problem));
        expect((await problemOfOther({ ...manifest, spec: wrongSpec })) !== '', manifest.kind);
        passed += 1;
      }
      expect(passed === otherKinds.length, `${passed} were found`);
      return `${passed} objects`;
    },
  );
  await step('each pod keeps to "restricted", and a pod that breaks a rule is seen', () => {
    for (const [name, { manifests }] of renderings) {
      const broken = brokenRules(podOf(manifests));
      expect(broken.length === 0, `${name}: ${broken.join(', ')}`);
      for (const [rule, bad] of breakEach(podOf(manifests))) {
        expect(brokenRules(bad).includes(rule), `${rule} is not checked`);
      }
      expect([...breakEach(podOf(manifests)).keys()].join() === ruleNames.join(), 'a rule is new');
    }
    return Promise.resolve(`${ruleNames.length} rules`);
  });
  await step('the service takes each configuration, and would notice a wrong one', async () => {
    let accepted = 0;
    for (const [name, { manifests }] of renderings) {
      if (configurationOf(manifests) === undefined) continue;
      const problems = await configurationProblems(manifests, join(folder, 'config', name));
      expect(problems === '', `${name}: ${problems}`);
      accepted += 1;
    }
    expect(accepted === names.length - 1, `${accepted} have one`);
    const more = join(folder, 'wrong.yaml');
    await writeFile(more, 'config: { compny: acme }\n');
    const { manifests } = await chart.render(valuesOf('minimal'), more);
    const problems = await configurationProblems(manifests, join(folder, 'config/wrong'));
    expect(problems.includes('compny'), `it prints: ${problems}`);
    return `${accepted} configurations`;
  });
  await step('wrong values are a sentence each', async () => {
    for (const { values, message } of [...refusals, ...schemaRefusals]) {
      const refusal = await chart.refusal(valuesOf('minimal'), values);
      expect(
        refusal.includes(message),
        `${JSON.stringify(values)} says "${refusal}", not "${message}"`,
      );
    }
    return `${refusals.length} of ours, ${schemaRefusals.length} of the schema`;
  });
  await step('the documented command renders, and its notes match the documentation', async () => {
    const section = sectionOf(readRepositoryFile('docs/deploy.md'), 'Kubernetes');
    const [gatewayYaml = ''] = codeBlocks(section, 'yaml');
    await writeFile(join(folder, 'gateway.yaml'), gatewayYaml);
    const [install = '', next] = codeBlocks(section, 'console');
    const notes = await chart.notesOf(install.slice(install.indexOf('\nhelm ')), folder);
    expect(commandsOf(notes).join('\n') === next?.trim(), `the notes are: ${notes}`);
  });

  await installContainers();
  const containers = await openContainers(scope, join(folder, 'containers'));
  const base = await buildBase(containers, join(folder, 'base'), 'localhost/stand-in:26');
  await buildImage(containers, { base, tag: image, format: 'oci' });
  await buildStandIns(containers, join(folder, 'stand-ins'));
  const cluster = await openCluster(scope, containers, join(folder, 'cluster'));
  await step('SQLite: its notes lead to a first call, and its volume is there again', async () => {
    const { manifests } = await chart.render(valuesOf('sqlite'));
    const notes = await chart.notes(valuesOf('sqlite'));
    const [first] = await cluster.play(manifests, {});
    if (first === undefined) throw new Error('it has no pod');
    await inspectPod(containers, first);
    const call = await firstCall(containers, { notes, pod: first });
    await first.stop();
    await cluster.removePods();
    const [second] = await cluster.play(manifests, {});
    if (second === undefined) throw new Error('it has no pod');
    await call(second);
    await second.stop();
    await cluster.removePods();
  });
  await step('PostgreSQL over TLS: two replicas, and a key of one is known to both', async () => {
    const { manifests } = await chart.render(valuesOf('postgres'));
    const notes = await chart.notes(valuesOf('postgres'));
    const secrets = await cluster.startPostgres();
    const [first, ...others] = await cluster.play(manifests, secrets);
    if (first === undefined) throw new Error('it has no pod');
    await inspectPod(containers, first);
    const call = await firstCall(containers, { notes, pod: first });
    expect(others.length === 1, `there are ${others.length + 1} pods`);
    for (const other of others) await call(other);
    for (const pod of [first, ...others]) {
      await pod.stop();
    }
  });
  close();
});
