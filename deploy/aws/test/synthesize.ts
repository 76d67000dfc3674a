import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import flags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { buildStacks } from '../lib/build-stacks.ts';
import type { Deployment } from '../lib/deployment/properties.ts';
import { readDeployment } from '../lib/deployment/read.ts';
import { example } from '../lib/example.ts';

/** A resource of a template, with CloudFormation's properties. */
export interface Resource {
  readonly id: string;
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties are read by the tests of each type
  readonly Properties: any;
}

/** A template, and its resources by type. */
export interface Synthesized {
  readonly text: string;
  of(type: string): readonly Resource[];
  /** The one resource of a type. Throws an Error when there are none or several. */
  one(type: string): Resource;
}

/** The properties of the example, with some replaced. */
export function deploymentOf(more: object = {}): Deployment {
  const read = readDeployment({ ...example, ...more });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.deployment;
}

const projectsFile = 'Projects.template.json';

/** Synthesizes a deployment as `app.ts` does, once; throws its errors. */
export function synthesize(more: object = {}): Stacks {
  const key = JSON.stringify(more);
  const made = synthesized.get(key) ?? synthesizeAnew(more);
  synthesized.set(key, made);
  return made;
}

type Stacks = ReturnType<typeof synthesizeAnew>;
const synthesized = new Map<string, Stacks>();

function synthesizeAnew(more: object) {
  const outdir = mkdtempSync(join(tmpdir(), 'model-gateway-aws-'));
  try {
    const app = new App({ outdir, context: flags, analyticsReporting: false, treeMetadata: false });
    buildStacks(app, deploymentOf(more));
    app.synth();
    const read = (file: string) => readFileSync(join(outdir, file), 'utf8');
    return {
      manifest: JSON.parse(read('manifest.json')),
      projects: existsSync(join(outdir, projectsFile))
        ? templateOf(read(projectsFile))
        : templateOf('{"Resources":{}}'),
      gateway: templateOf(read('Gateway.template.json')),
    };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

function templateOf(text: string): Synthesized {
  const resources = Object.entries<object>(JSON.parse(text).Resources).map(([id, resource]) => {
    return Object.assign({ Properties: {}, Type: '' }, resource, { id });
  });
  const of = (type: string) => resources.filter(({ Type }) => Type === type);
  return {
    text,
    of,
    one(type) {
      const [found, ...others] = of(type);
      if (found === undefined || others.length > 0) throw new Error(`${type}: not one`);
      return found;
    },
  };
}

/** The service's container in a task definition, of the service or of operators. */
export function gatewayContainer({ of }: Synthesized, who: 'Task' | 'Operator' = 'Task') {
  const found = of('AWS::ECS::TaskDefinition').find(({ id }) => id.startsWith(who));
  const containers: readonly { Name: string; [name: string]: unknown }[] =
    found?.Properties.ContainerDefinitions ?? [];
  const container = containers.find(({ Name }) => Name === 'gateway');
  if (found === undefined || container === undefined) throw new Error(`${who} has no container`);
  // biome-ignore lint/suspicious/noExplicitAny: parts of a template have no types
  const gateway: any = container;
  return { task: found, gateway, containers };
}
