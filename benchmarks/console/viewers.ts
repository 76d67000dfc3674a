import process from 'node:process';

// The viewers, in their own process: as many consoles as the job names, which request the data of
// their pages, and one report after the other. It ends when its parent ends it.

/** The pages to request, and the number of consoles. */
export interface ViewerJob {
  readonly adminUrl: string;
  /** Tokens of logins: each console has one of them. */
  readonly tokens: readonly string[];
  readonly consoles: number;
  readonly hasReports: boolean;
  /** A month, for example 2026-11. */
  readonly month: string;
}

process.on('message', (job: ViewerJob) => {
  const { adminUrl, tokens, month } = job;
  const loginOf = (at: number) => ({ adminUrl, token: tokens[at % tokens.length] ?? '' });
  const consoles = Array.from({ length: job.consoles }, (_, at) => console(loginOf(at)));
  const reports = job.hasReports ? [report(loginOf(0), month)] : [];
  Promise.all([...consoles, ...reports]).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit());

interface Login {
  readonly adminUrl: string;
  readonly token: string;
}

async function request({ adminUrl, token }: Login, path: string) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${adminUrl}/admin/v1${path}`, { headers });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
  return answer;
}

/** Today, read again after each event that names it. */
async function console(login: Login) {
  const { body } = await request(login, '/events');
  await (await request(login, '/overview')).text();
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    if (text.includes('"overview"')) await (await request(login, '/overview')).text();
  }
}

async function report(login: Login, month: string) {
  for (;;) {
    for (const by of ['user', 'model,key']) {
      await (await request(login, `/spend?month=${month}&by=${by}`)).text();
    }
  }
}
