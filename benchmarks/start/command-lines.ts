/** The data of the command lines below; all of it is in the store before the measurement. */
export interface Facts {
  /** Differs from round to round, to create new objects. */
  readonly round: number;
  readonly folder: string;
  readonly keyId: string;
  readonly tokenId: string;
  readonly callId: string;
  readonly runId: string;
  /** A file in the format of Amazon's usage report. */
  readonly invoice: string;
}

/** The arguments of a command, and its exit code. */
export interface CommandLine {
  /** The arguments after the command's own words. */
  readonly words?: (facts: Facts) => readonly string[];
  /** 0 by default: some commands report problems in a store like this. */
  readonly exitCode?: number;
}

/** Commands whose startup cannot be separated from their work, each with the reason. */
export const notMeasured: Readonly<Record<string, string>> = {
  serve: 'until it is ready, below',
  simulator: 'until it is ready, below',
  demo: 'starts a service and calls it',
  attack: 'starts services and kills them',
};

const yes = () => ['--yes'];
const day = () => new Date().toISOString().slice(0, 10);
const user = ['search', 'user-1'];

/** Every command that ends by itself, in an order that creates the requirements of each. */
export const commandLines: Readonly<Record<string, CommandLine>> = {
  init: { words: ({ folder, round }) => ['--config', `${folder}/init-${round}.yaml`] },
  completion: { words: () => ['bash'] },
  'config check': {},
  'config schema': {},
  'config diff': {},
  migrate: {},
  'apps list': {},
  'apps create': { words: ({ round }) => [`app-${round}`] },
  'apps update': { words: ({ round }) => [`app-${round}`, '--daily-budget-usd', '5'] },
  'apps disable': { words: ({ round }) => [`app-${round}`] },
  'apps enable': { words: ({ round }) => [`app-${round}`] },
  'keys list': {},
  'keys issue': { words: () => ['--app', 'search', '--email', 'bench@acme.example'] },
  'keys rotate': { words: ({ keyId }) => [keyId] },
  'keys import': {
    words: ({ round }) => ['--name', `imported-${round}`, '--customer-id', 'search'],
  },
  // Standard input is empty.
  'keys import-csv': { words: () => ['--csv-stdin'], exitCode: 2 },
  'keys disable': { words: ({ keyId }) => [keyId] },
  'keys enable': { words: ({ keyId }) => [keyId] },
  'budgets set': {
    words: ({ round }) => [`team-${round}`, '--apps', 'search', '--daily-usd', '9'],
  },
  'budgets list': {},
  'budgets show': { words: ({ round }) => [`team-${round}`] },
  'budgets reopen': { words: ({ round }) => [`team-${round}`, '--yes'], exitCode: 1 },
  'budgets remove': { words: ({ round }) => [`team-${round}`, '--yes'] },
  'console login': {},
  'tokens issue': { words: ({ round }) => ['--name', `script-${round}`] },
  'tokens list': {},
  'tokens disable': { words: ({ tokenId }) => [tokenId] },
  'runs list': {},
  'runs end': { words: ({ runId }) => [runId] },
  'notify list': {},
  'notify test': { words: () => ['nobody'], exitCode: 1 },
  'wallets show': { words: () => user },
  'wallets history': { words: () => user },
  'wallets reopen': { words: () => ['--all', '--yes'], exitCode: 1 },
  'wallets top-up': { words: () => [...user, '10'] },
  'wallets debit': { words: () => [...user, '5'] },
  'users erase': { words: () => [...user, '--yes'] },
  'users scrub': {},
  usage: {},
  report: { words: () => ['--from', day(), '--to', day(), '--by', 'app,model'] },
  'rollups rebuild': {},
  'calls list': {},
  'calls show': { words: ({ callId }) => [callId] },
  'calls correct': { words: ({ callId, round }) => [callId, '--usd', `0.00${round + 1}`, '--yes'] },
  'calls reprice': { words: () => ['--model', 'house-model', '--since', day(), '--yes'] },
  'log list': {},
  'holds list': {},
  'reservations list': {},
  'days close': { words: () => ['search', '--yes'] },
  'days reopen': { words: () => ['search'] },
  'days prune': { words: () => ['--before', '2025-01-01', '--yes'] },
  'reconcile fetch': {
    words: () => ['--platform', 'local', '--from', day(), '--to', day()],
    exitCode: 2,
  },
  'reconcile import': { words: ({ invoice }) => ['--platform', 'aws', '--file', invoice] },
  'reconcile show': { exitCode: 1 },
  'reconcile settle': { words: () => ['--day', '2025-01-01', '--yes'] },
  'models list': {},
  'models check': {},
  'models import': {},
  'platforms check': { words: () => ['sandbox'] },
  'projects plan': { exitCode: 1 },
  'projects apply': { exitCode: 1 },
  'projects bind': { words: ({ round }) => ['tutor', 'sandbox', `proj-${round}`] },
  'projects destroy': { words: yes },
  audit: {},
  backup: { words: ({ folder, round }) => [`${folder}/backup-${round}.db`] },
};
