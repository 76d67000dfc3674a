const quick = `
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (run, ms, ...more) => wait(run, ms === 60_000 ? 50 : ms, ...more);`;

/** For a process that checks for finished hours 20 times a second instead of once a minute. */
export const quickRounds = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(quick)}`,
};
