import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { findAll } from './tidy/find-all.ts';
import { describeFinding } from './tidy/finding.ts';
import { createProject } from './tidy/project.ts';
import { lowerRatchet, ratchetPath } from './tidy/ratchet.ts';
import { changedPaths, repositoryFiles } from './tidy/repository.ts';

// The house rules. `--lower` lowers each ceiling of the ratchet that is higher than needed.

const all = findAll(createProject(repositoryFiles(), changedPaths()));
const isLowering = process.argv.includes('--lower');
if (isLowering) {
  const file = new URL(`../${ratchetPath}`, import.meta.url);
  writeFileSync(file, lowerRatchet(readFileSync(file, 'utf8'), all));
}
const findings = isLowering ? all.filter(({ lower }) => lower === undefined) : all;
for (const finding of findings) process.stdout.write(`${describeFinding(finding)}\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
