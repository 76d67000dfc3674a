import {
  asBig,
  asFlag,
  asInt,
  asOneOf,
  asOptionalBig,
  asOptionalInt,
  asOptionalText,
  asText,
} from './columns.ts';
import type { SqlValue } from './port.ts';

/** How a field is kept in its column. */
export interface ColumnTypes {
  text(value: string): string;
  optionalText(value: string | undefined): string | undefined;
  /** One of these texts. */
  oneOf<Value extends string>(value: Value, known: readonly Value[]): Value;
  /** An integer of 64 bits: money. */
  big(value: bigint): bigint;
  optionalBig(value: bigint | undefined): bigint | undefined;
  /** An integer as a number: a count, or milliseconds since 1970. */
  int(value: number): number;
  optionalInt(value: number | undefined): number | undefined;
  /** 1 for true, 0 for false. */
  flag(value: boolean): boolean;
}

/** How a field crosses from one thread to another: as in its column, or whatever it is. */
export interface PartTypes extends ColumnTypes {
  whatever<Value>(value: Value): Value;
}

// A list that grows by `push` has no holes, unlike one that `map` makes: it is passed on twice as
// fast.

/** Takes each value; `nothing` stands for one that is not there. */
export class Taker<Value> implements ColumnTypes {
  readonly values: (Value | SqlValue)[] = [];
  readonly #nothing: Value;
  constructor(nothing: Value) {
    this.#nothing = nothing;
  }
  text(value: string) {
    this.values.push(value);
    return value;
  }
  optionalText(value: string | undefined) {
    this.values.push(value ?? this.#nothing);
    return value;
  }
  oneOf<Text extends string>(value: Text) {
    this.values.push(value);
    return value;
  }
  big(value: bigint) {
    this.values.push(value);
    return value;
  }
  optionalBig(value: bigint | undefined) {
    this.values.push(value ?? this.#nothing);
    return value;
  }
  int(value: number) {
    this.values.push(value);
    return value;
  }
  optionalInt(value: number | undefined) {
    this.values.push(value ?? this.#nothing);
    return value;
  }
  flag(value: boolean) {
    this.values.push(value ? 1 : 0);
    return value;
  }
}

/** Gives what a database has answered for each column. */
export class Reader implements ColumnTypes {
  readonly #values: readonly unknown[];
  readonly #names: readonly string[];
  #next = 0;
  constructor(values: readonly unknown[], names: readonly string[]) {
    this.#values = values;
    this.#names = names;
  }
  text() {
    return asText(this.#values[this.#next], this.#name());
  }
  optionalText() {
    return asOptionalText(this.#values[this.#next], this.#name());
  }
  oneOf<Value extends string>(_: Value, known: readonly Value[]) {
    return asOneOf(this.#values[this.#next], known, this.#name());
  }
  big() {
    return asBig(this.#values[this.#next], this.#name());
  }
  optionalBig() {
    return asOptionalBig(this.#values[this.#next], this.#name());
  }
  int() {
    return asInt(this.#values[this.#next], this.#name());
  }
  optionalInt() {
    return asOptionalInt(this.#values[this.#next], this.#name());
  }
  flag() {
    return asFlag(this.#values[this.#next], this.#name());
  }

  /** The name of the next column, which is then the one before. */
  #name() {
    return this.#names[this.#next++] ?? '';
  }
}

/** Takes each value as it is. */
export class PartTaker extends Taker<unknown> implements PartTypes {
  whatever<Value>(value: Value) {
    this.values.push(value);
    return value;
  }
}

/** Gives each value as it was taken: both ends are of one process, and of one description. */
export class Unpacking implements PartTypes {
  readonly #values: readonly unknown[];
  #next = 0;
  constructor(values: readonly unknown[]) {
    this.#values = values;
  }
  text(): string {
    return this.whatever();
  }
  optionalText(): string | undefined {
    return this.whatever();
  }
  oneOf<Value extends string>(): Value {
    return this.whatever();
  }
  big(): bigint {
    return this.whatever();
  }
  optionalBig(): bigint | undefined {
    return this.whatever();
  }
  int(): number {
    return this.whatever();
  }
  optionalInt(): number | undefined {
    return this.whatever();
  }
  flag(): boolean {
    return this.whatever<number>() === 1;
  }
  whatever<Value>(): Value;
  whatever(): unknown {
    return this.#values[this.#next++];
  }
}
