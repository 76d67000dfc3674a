import type { ComponentChildren } from 'preact';
import type { Column, Sort } from './column.ts';
import { Icon } from './icon.tsx';
import { Scrolling } from './scrolling.tsx';

export interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The row's CSS class. */
  readonly classOf?: (row: Row) => string | undefined;
  readonly sort?: Sort | undefined;
  readonly totalLabel?: string;
  /** How to get rows; shown while there are none. */
  readonly empty: ComponentChildren;
  /** The row whose details are open. */
  readonly selected?: string | undefined;
  /** It scrolls by itself, and its head stays. */
  readonly isLong?: boolean;
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, sort, empty, selected, isLong } = props;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <Scrolling label={caption} isLong={isLong === true}>
      <table class="fold" aria-label={caption}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              class={props.classOf?.(row)}
              aria-selected={keyOf(row) === selected ? true : undefined}
            >
              {columns.map((column, index) => (
                <Cell key={column.id} column={column} isName={index === 0}>
                  {column.cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
        {props.totalLabel !== undefined && (
          <tfoot>
            <tr>
              {columns.map((column, index) => (
                <Cell key={column.id} column={column} isName={index === 0}>
                  {index === 0 ? props.totalLabel : column.total}
                </Cell>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </Scrolling>
  );
}

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
}

function Head<Row>({ column, sort }: HeadProps<Row>) {
  const { id, isNumber, value, isSortable = value !== undefined, narrow } = column;
  const className = isNumber === true ? 'n' : undefined;
  const head = narrow === 6 ? <span class="hide">{column.head}</span> : column.head;
  if (sort === undefined || !isSortable) {
    return (
      <th scope="col" class={className}>
        {head}
      </th>
    );
  }
  const order = sort.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={className} aria-sort={sort.by === id ? order : undefined}>
      <button type="button" onClick={() => sort.change(id)}>
        {head}
        <Icon of={sort.by === id && !sort.isDescending ? 'rising' : 'arrowDown'} />
      </button>
    </th>
  );
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly isName: boolean;
  readonly children: ComponentChildren;
}

function Cell<Row>({ column, isName, children }: CellProps<Row>) {
  const { isNumber, isFill, narrow } = column;
  const classNames = [isNumber && 'n', isFill && 'fill', narrow && `m${narrow}`].filter(Boolean);
  const className = classNames.length === 0 ? undefined : classNames.join(' ');
  if (!isName) return <td class={className}>{children}</td>;
  return (
    <th scope="row" class={className}>
      {children}
    </th>
  );
}
