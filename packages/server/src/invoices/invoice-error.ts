/** The message contains the field and its value. Nothing was stored. */
export class InvoiceError extends Error {
  override readonly name = 'InvoiceError';
}

export function badField(where: string, field: string, value: unknown, why: string): InvoiceError {
  const shown = JSON.stringify(value) ?? 'missing';
  const cut = shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
  return new InvoiceError(`${where}: ${field} ${cut} ${why}`);
}
