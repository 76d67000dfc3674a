import assert from 'node:assert/strict';

/** A fault that Schemathesis reports for one response. */
export interface Finding {
  /** Its check, for example `positive_data_acceptance`. */
  readonly check: string;
  /** For example `POST /v1/chat`. */
  readonly operation: string;
  readonly status: number;
  /** The API's code, or the gateway's sentence. */
  readonly code: string;
  readonly message: string;
}

/** The result of one run. */
export interface Report {
  /** Requests by the status of their responses. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly findings: readonly Finding[];
}

/** Reads the events of a run, one JSON text a line. Throws when the run has not ended. */
export function readReport(lines: string): Report {
  const events = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
  assert(
    events.some((event) => field(event, 'EngineFinished') !== undefined),
    'Schemathesis broke off: its report has no end',
  );
  const statuses = new Map<number, number>();
  const findings: Finding[] = [];
  for (const event of events) {
    const recorder = field(field(event, 'ScenarioFinished'), 'recorder');
    for (const [id, interaction] of entriesOf(field(recorder, 'interactions'))) {
      const response = field(interaction, 'response');
      const status = Number(field(response, 'status_code') ?? 0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const operation = String(field(recorder, 'label'));
      for (const check of failedChecks(field(field(recorder, 'checks'), id))) {
        findings.push({ check, operation, status, ...errorOf(response) });
      }
    }
  }
  return { statuses, findings };
}

function failedChecks(checks: unknown): readonly string[] {
  if (!Array.isArray(checks)) return [];
  return checks
    .filter((check) => field(check, 'status') === 'failure')
    .map((check) => String(field(check, 'name')));
}

function errorOf(response: unknown): { readonly code: string; readonly message: string } {
  const content = field(field(response, 'content'), '$base64');
  const text = typeof content === 'string' ? Buffer.from(content, 'base64').toString() : '';
  try {
    const body: unknown = JSON.parse(text);
    const error = field(body, 'error') ?? body;
    const message = String(field(error, 'message') ?? text);
    return { code: String(field(error, 'code') ?? message), message };
  } catch {
    /* A response to HEAD has no body, and text that is not JSON is shown unchanged. */
    return { code: '', message: text };
  }
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
