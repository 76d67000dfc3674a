import { hash } from 'node:crypto';
import type { Log } from '../../../lib/log.ts';
import { failureOf, messageOf } from '../failure.ts';

/** Under which names statements are prepared: under none behind a pooler that loses them. */
export interface StatementNames {
  /** Whether statements are prepared at all. */
  isNamed(): boolean;
  /**
   * The name of a statement. It is made of its text, so that behind a pooler the same name is the
   * same statement for every process and every version.
   */
  nameOf(statement: string): string;
  /** Finds out whether it failed because a statement was not where it had been prepared. */
  note(error: unknown): void;
}

/** Prepares statements by name, until one was lost. */
export function createStatementNames(log: Log): StatementNames {
  const names = new Map<string, string>();
  let isNamed = true;
  return {
    isNamed: () => isNamed,
    nameOf(statement) {
      const known = names.get(statement);
      if (known !== undefined) return known;
      const name = `mg_${hash('sha256', statement).slice(0, 24)}`;
      names.set(statement, name);
      return name;
    },
    note(error) {
      if (!isNamed || failureOf(error) !== 'unnamed') return;
      isNamed = false;
      log.warn(
        { error: messageOf(error) },
        'the pooler in front of the database loses prepared statements: commits are slower',
      );
    },
  };
}
