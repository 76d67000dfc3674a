import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** Names the column in the address and in what is stored. */
  readonly id: string;
  readonly head: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  readonly total?: ComponentChildren;
  readonly isNumber?: boolean;
  /** Takes the room that is left, and cuts its text there. */
  readonly isFill?: boolean;
  /** What rows are sorted by; a column without it cannot be sorted here. */
  readonly value?: (row: Row) => bigint | number | string;
  /** The service sorts by it. */
  readonly isSortable?: boolean;
  /** Chosen by the reader only. */
  readonly isExtra?: boolean;
  /**
   * Where a phone shows it: 1 name, 2 amount, 3 and 4 details below them, 5 a bar or a badge, 6
   * actions. Nowhere by default.
   */
  readonly narrow?: 1 | 2 | 3 | 4 | 5 | 6;
}

export interface Sort {
  /** The id of a column. */
  readonly by: string;
  readonly isDescending: boolean;
  /** Sorts by a column; the other way round where it is sorted by it already. */
  readonly change: (by: string) => void;
}
