import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openStack, type Stack } from '../../support/stack.ts';
import { type Desk, openDesk } from './desk.ts';

/**
 * Opens a service in this process, and an operator's commands on its store and clock. `commandYaml`
 * is the configuration of the commands, if it differs from the service's.
 */
export async function openStackAndDesk(
  yaml: string,
  commandYaml = yaml,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly stack: Stack; readonly desk: Desk }> {
  const stack = await openStack({ yaml });
  const { store } = stack.config;
  if (store.kind !== 'sqlite') throw new Error('the stack has an embedded store');
  const onStore = (text: string) => text.replace('sqlite:./gateway.db', `sqlite:${store.path}`);
  await writeFile(join(dirname(store.path), 'gateway.yaml'), onStore(yaml));
  const desk = await openDesk({ yaml: onStore(commandYaml), clock: stack.clock, environment });
  return { stack, desk };
}
