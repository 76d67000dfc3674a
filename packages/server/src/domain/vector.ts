export type Vector = readonly number[] | Float32Array;
