import { table } from './table.ts';

export interface UserErasure {
  readonly app: string;
  readonly pseudonym: string;
  /** Stored until the month of its last part has ended. */
  readonly userId: string | undefined;
  /** UTC month of the request; later months are not covered. */
  readonly through: string;
  readonly askedAt: number;
  readonly doneAt: number | undefined;
}

export const userErasures = table<UserErasure>('user_erasure', ['app', 'pseudonym'], (row, as) => ({
  app: as.text(row.app),
  pseudonym: as.text(row.pseudonym),
  userId: as.optionalText(row.userId),
  through: as.text(row.through),
  askedAt: as.int(row.askedAt),
  doneAt: as.optionalInt(row.doneAt),
}));
