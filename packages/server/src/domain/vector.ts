/** An embedding: the place of a text, one number for each dimension. */
export type Vector = readonly number[] | Float32Array;
