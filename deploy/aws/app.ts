import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { App } from 'aws-cdk-lib';
import flags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { buildStacks } from './lib/build-stacks.ts';
import { readDeployment } from './lib/deployment/read.ts';
import { example } from './lib/example.ts';

// `npx node app.ts acme.json` writes the templates of a deployment, and without a file those of an
// example. It calls no account, and does not need the CDK's command line.
const [file] = process.argv.slice(2);
const read = readDeployment(file === undefined ? example : parse(file));
if ('problems' in read) {
  for (const problem of read.problems) process.stderr.write(`${file ?? 'example'}: ${problem}\n`);
  process.exitCode = 2;
} else {
  const outdir = process.env.CDK_OUTDIR ?? join(import.meta.dirname, 'cdk.out');
  const app = new App({ outdir, context: flags, analyticsReporting: false, treeMetadata: false });
  buildStacks(app, read.deployment);
  app.synth();
  process.stdout.write(`Projects and Gateway of ${read.deployment.company} are in ${outdir}\n`);
}

/** The file as JSON; undefined for invalid JSON, which becomes a normal problem. */
function parse(path: string): unknown {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The first problem reports it: the file must contain a table of properties.
    return undefined;
  }
}
