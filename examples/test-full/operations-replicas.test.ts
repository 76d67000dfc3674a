import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../harness/until.ts';
import { readRepositoryFile } from '../testing/markdown.ts';
import { type OperatorMachine, openOperatorMachine } from '../testing/operator-machine.ts';
import { isAsShown, type Step, stepsOf } from '../testing/walk.ts';

const steps = stepsOf(readRepositoryFile('docs/operations.md'));
const first = steps.findIndex(({ heading }) => heading === 'Install');
const last = steps.findLastIndex(({ heading }) => heading === 'Stop');

let machine: OperatorMachine;
beforeAll(async () => {
  machine = await openOperatorMachine();
});
afterAll(() => machine?.close());

/** Runs the commands of a step; returns the faults and the output. */
async function attempt({ commands, shown }: Step, mayWait: boolean) {
  const { shell, here, there } = machine;
  const from = shell.printed().length;
  const failed: string[] = [];
  for (const { text, line } of commands) {
    const { code } = await shell.run(here(text));
    if (code !== 0) failed.push(`line ${line} ended with ${code}: ${text}`);
  }
  const printed = () => there(shell.printed().slice(from));
  // A background job prints late: a service its ready line.
  const mayCome = () => failed.length === 0 && !isAsShown(shown, printed());
  // Missing output fails an expectation, which shows everything printed.
  if (!mayWait) await until(() => !mayCome()).catch(() => undefined);
  return { failed, printed: printed(), isRight: failed.length === 0 && !mayCome() };
}

/** More attempts than the documented second, for a busy machine. */
const attemptsMax = 20;

async function follow(step: Step) {
  const mayWait = step.commands[0]?.text.startsWith('sleep ') === true;
  for (let attempts = 1; ; attempts++) {
    const { failed, printed, isRight } = await attempt(step, mayWait);
    if (isRight) return;
    if (mayWait && attempts < attemptsMax) continue;
    expect({ failed, printed }, step.heading).toEqual({ failed: [], printed: step.shown });
  }
}

test('docs/operations.md leads from an empty machine to replicas with a rotated key', async () => {
  expect([first, last > 20]).toEqual([0, true]);
  for (const step of steps.slice(first, last + 1)) await follow(step);
  // It installs twice, and starts some fifty processes.
});
