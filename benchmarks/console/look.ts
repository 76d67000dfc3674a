import process from 'node:process';

// Those who look, in a process of its own: as many consoles as are asked for, which ask for what
// their pages ask for, and one report after the other. It ends when its parent ends it.

/** What is looked at, and by how many. */
export interface Looking {
  readonly adminUrl: string;
  readonly token: string;
  readonly consoles: number;
  /** A month such as 2026-11. */
  readonly month: string;
}

process.on('message', (looking: Looking) => {
  const consoles = Array.from({ length: looking.consoles }, () => console(looking));
  Promise.all([...consoles, report(looking)]).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit());

async function ask({ adminUrl, token }: Looking, path: string) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${adminUrl}/admin/v1${path}`, { headers });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
  return answer;
}

/** Today, and the events that tell of what changes. */
async function console(looking: Looking) {
  const events = await ask(looking, '/events');
  void events.text();
  for (;;) {
    await (await ask(looking, '/overview')).text();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

async function report(looking: Looking) {
  for (;;) {
    for (const by of ['user', 'model,key']) {
      await (await ask(looking, `/spend?month=${looking.month}&by=${by}`)).text();
    }
  }
}
