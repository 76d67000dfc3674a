/** Reads a row of a table; `where` names its file and line. Throws an InvoiceError. */
export type ReadRow = (where: string, fields: readonly string[]) => void;
