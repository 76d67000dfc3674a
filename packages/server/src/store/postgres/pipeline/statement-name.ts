import { hash } from 'node:crypto';
import type { Log } from '../../../lib/log.ts';
import { messageOf } from '../failure.ts';

const names = new Map<string, string>();

/**
 * The name of a prepared statement. It is made of its text, so that behind a pooler the same name
 * is the same statement for every process and every version.
 */
export function nameOf(statement: string): string {
  const known = names.get(statement);
  if (known !== undefined) return known;
  const name = `mg_${hash('sha256', statement).slice(0, 24)}`;
  names.set(statement, name);
  return name;
}

/** Whether statements are prepared by name: not behind a pooler that loses them. */
export interface StatementNames {
  isNamed(): boolean;
  /** Says that a statement was not where it had been prepared. */
  lost(error: unknown): void;
}

/** By name, until one was lost. */
export function createStatementNames(log: Log): StatementNames {
  let isNamed = true;
  return {
    isNamed: () => isNamed,
    lost(error) {
      if (!isNamed) return;
      isNamed = false;
      log.warn(
        { error: messageOf(error) },
        'the pooler in front of the database loses prepared statements: commits are slower',
      );
    },
  };
}
