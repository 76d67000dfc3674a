import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** The column's name in the address and in storage. */
  readonly id: string;
  readonly head: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  readonly total?: ComponentChildren;
  readonly isNumber?: boolean;
  /** Takes the remaining width, and truncates its text. */
  readonly isFill?: boolean;
  /** The value to sort by; a column without it cannot be sorted here. */
  readonly value?: (row: Row) => bigint | number | string;
  /** The service sorts by it. */
  readonly isSortable?: boolean;
  /** Hidden until the reader chooses it. */
  readonly isExtra?: boolean;
  /**
   * Its position on a phone: 1 name, 2 amount, 3 and 4 details below them, 5 a bar or a badge, 6
   * actions. Hidden by default.
   */
  readonly narrow?: 1 | 2 | 3 | 4 | 5 | 6;
}

export interface Sort {
  /** The id of a column. */
  readonly by: string;
  readonly isDescending: boolean;
  /** Sorts by a column, or reverses the order if it is sorted by it already. */
  readonly change: (by: string) => void;
}
