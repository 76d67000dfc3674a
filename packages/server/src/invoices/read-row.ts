/** `where` names file and line. Throws an InvoiceError. */
export type ReadRow = (where: string, fields: readonly string[]) => void;
